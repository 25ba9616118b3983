import { memo } from 'react'
import { Link, useLocation } from 'wouter'
import { useTeam } from '../domain/team/TeamProvider.tsx'
import { useTranslation } from '../i18n/translation.ts'
import { IconDots } from '../ui/icons.ts'
import classes from './Navigation.module.css'
import { navigationViews, type View, viewAt, viewsOf } from './views.ts'

const MORE = 'more-views'

/** A sidebar with all views; on phones a bar with the primary ones, and a menu "More" with the others. */
export function Navigation() {
  const { t } = useTranslation()
  const [location] = useLocation()
  const hasTeam = useTeam().team !== undefined
  const shown = viewsOf(navigationViews, hasTeam)
  const others = shown.filter(({ isPrimary }) => !isPrimary)
  const view = viewAt(location)
  // A view that is not in the navigation is reached from Settings.
  const here = view && (shown.includes(view) ? view : navigationViews.at(-1))
  const isInMore = here?.isPrimary === false
  return (
    <nav aria-label={t('app.navigation')} className={classes.bar}>
      {shown.map((view) => (
        <Item key={view.title} view={view} isHere={view === here} />
      ))}
      {others.length > 0 && (
        <>
          <button type="button" className={classes.more} aria-current={isInMore || undefined} popoverTarget={MORE}>
            <IconDots size={20} stroke={1.75} aria-hidden />
            <span>{t('app.more')}</span>
          </button>
          <div id={MORE} popover="auto" className={classes.sheet}>
            {others.map((view) => (
              <Item key={view.title} view={view} isHere={view === here} isInSheet />
            ))}
          </div>
        </>
      )}
    </nav>
  )
}

interface ItemProps {
  view: View
  isHere: boolean
  isInSheet?: boolean
}

const Item = memo(function Item({
  view: { title, paths, icon: Icon, isPrimary },
  isHere,
  isInSheet = false,
}: ItemProps) {
  const { t } = useTranslation()
  return (
    <Link
      href={paths[0]}
      className={classes.item}
      data-wide-only={(!isPrimary && !isInSheet) || undefined}
      aria-current={isHere ? 'page' : undefined}
      onClick={() => isInSheet && document.getElementById(MORE)?.hidePopover()}
    >
      <Icon size={20} stroke={1.75} aria-hidden />
      <span>{t(title)}</span>
    </Link>
  )
})
