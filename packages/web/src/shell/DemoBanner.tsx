import { useIsDemo } from '../domain/session/session-hooks.ts'
import { useTranslation } from '../i18n/translation.ts'
import classes from './DemoBanner.module.css'

/** Tells visitors of a demo that they share it, and that it is reset. */
export function DemoBanner() {
  const { t } = useTranslation()
  if (!useIsDemo()) return null
  return (
    <p className={classes.banner} role="note">
      {t('app.demo')}
    </p>
  )
}
