import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useEffect } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { useKeptUndo } from '../domain/entries/useEntryActions.ts'
import { useProfileSync } from '../domain/profile/useProfile.ts'
import { ErasedWatch } from '../domain/session/ErasedWatch.tsx'
import { hasMonths, useTeam } from '../domain/team/TeamProvider.tsx'
import { FirstRunGate } from '../features/first-run/FirstRunGate.tsx'
import { HelpKey } from '../features/help/HelpKey.tsx'
import { PaletteKey } from '../features/palette/PaletteKey.tsx'
import { Reminders } from '../features/reminders/Reminders.tsx'
import { RejectionWatch } from '../features/sync-status/RejectionWatch.tsx'
import { SyncIndicator } from '../features/sync-status/SyncIndicator.tsx'
import { withStrings } from '../i18n/i18n.ts'
import { useTranslation } from '../i18n/translation.ts'
import { ErrorBoundary } from '../ui/feedback/ErrorBoundary.tsx'
import { forgetUndo } from '../ui/feedback/undo-stack.ts'
import { keepFocus, showOwnErrors } from '../ui/focus.ts'
import { Logo } from '../ui/Logo.tsx'
import { NotFound } from '../ui/ViewHeader.tsx'
import { skipClosedOverlays } from '../ui/way-back.ts'
import { whenOnline } from '../ui/when-online.ts'
import { Balance } from './Balance.tsx'
import { ClockNotice } from './ClockNotice.tsx'
import { DemoBanner } from './DemoBanner.tsx'
import { LeaveGuard } from './LeaveGuard.tsx'
import { Navigation } from './Navigation.tsx'
import { RunningTitle } from './RunningTitle.tsx'
import classes from './Shell.module.css'
import { UserMenu } from './UserMenu.tsx'
import { paletteViews, viewAt, viewsOf } from './views.ts'

const InvitationNotice = lazy(
  whenOnline(withStrings(async () => ({ default: (await import('../features/team/TeamView.tsx')).InvitationNotice }))),
)

const MonthsWatch = lazy(whenOnline(withStrings(() => import('../features/team/months/MonthsWatch.tsx'))))

const PAGE = 'page'

/** The frame of every view: navigation, sync status and account menu. */
export function Shell() {
  const { t } = useTranslation()
  useEffect(keepFocus, [])
  useEffect(showOwnErrors, [])
  useEffect(skipClosedOverlays, [])
  useProfileSync()
  useKeptUndo()
  const { team } = useTeam()
  useHotkeys([['mod+Z', () => void forgetUndo()?.()]])
  return (
    <FirstRunGate indicator={<SyncIndicator />}>
      <LeaveGuard>
        <a className={classes.skip} href={`#${PAGE}`}>
          {t('app.skip')}
        </a>
        <PaletteKey views={viewsOf(paletteViews, team !== undefined)} />
        <HelpKey />
        <RejectionWatch />
        <ErasedWatch />
        <ErrorBoundary>
          <Reminders />
          <RunningTitle />
        </ErrorBoundary>
        <div className={classes.shell}>
          <aside className={classes.side} aria-label={t('app.side')}>
            <div className={classes.brand}>
              <Logo />
            </div>
            <ErrorBoundary>
              <Balance />
            </ErrorBoundary>
            <Navigation />
            <div className={classes.foot}>
              <SyncIndicator />
              <ErrorBoundary>
                <UserMenu />
              </ErrorBoundary>
            </div>
          </aside>
          <main id={PAGE} tabIndex={-1} className={classes.page}>
            <DemoBanner />
            <ClockNotice />
            {team && !hasMonths(team) && (
              <Suspense>
                <InvitationNotice />
              </Suspense>
            )}
            {hasMonths(team) && (
              <Suspense>
                <MonthsWatch />
              </Suspense>
            )}
            <CurrentView />
          </main>
        </div>
      </LeaveGuard>
    </FirstRunGate>
  )
}

/**
 * The view at the address. It stays while the address leads to it; what belongs to a day, a week or a month is
 * drawn anew by it.
 */
function CurrentView() {
  const [location] = useLocation()
  const view = viewAt(location)
  return (
    <ErrorBoundary place={location}>
      <Suspense>
        <Switch>
          {view?.paths.map((path) => (
            <Route key={view.title} path={path} component={view.Component} />
          ))}
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </ErrorBoundary>
  )
}
