import { type ComponentType, lazy } from 'react'
import { withStrings } from '../i18n/i18n.ts'
import type { Icon } from '../ui/icon.tsx'
import {
  IconAdjustmentsHorizontal,
  IconCalendarMonth,
  IconCalendarWeek,
  IconChartBar,
  IconChartLine,
  IconClockHour4,
  IconCloudCheck,
  IconFolders,
  IconHelp,
  IconSearch,
  IconSettings,
  IconTransfer,
  IconUsers,
} from '../ui/icons.ts'

export interface View {
  Component: ComponentType
  load: Load
  /** The key of its name in the navigation. */
  title: string
  icon: Icon
  /**
   * Its addresses as patterns of wouter; the navigation leads to the first. No other view shares the first path
   * segment.
   */
  paths: readonly [string, ...string[]]
  /** True if the phone's bar shows it; else it is in the «More» sheet. */
  isPrimary: boolean
}

type Load = () => Promise<{ default: ComponentType }>

function view(title: string, icon: Icon, paths: View['paths'], load: Load, isPrimary = true): View {
  return { title, icon, paths, isPrimary, Component: lazy(load), load }
}

/** The views in the order of the navigation. A new one is a line here, and a folder in `features/`. */
export const navigationViews: readonly View[] = [
  view('today.title', IconClockHour4, ['/', '/day/:date'], () => import('../features/today/TodayView.tsx')),
  view(
    'week.title',
    IconCalendarWeek,
    ['/week', '/week/:week'],
    withStrings(() => import('../features/week/WeekView.tsx')),
  ),
  view(
    'account.title',
    IconChartLine,
    ['/account'],
    withStrings(() => import('../features/account/AccountView.tsx')),
  ),
  view(
    'calendar.title',
    IconCalendarMonth,
    ['/calendar', '/calendar/:year', '/calendar/:year/:month', '/calendar/:year/:month/sheet'],
    withStrings(() => import('../features/calendar/CalendarView.tsx')),
  ),
  view(
    'schedule.title',
    IconAdjustmentsHorizontal,
    ['/schedule'],
    withStrings(() => import('../features/schedule/ScheduleView.tsx')),
    false,
  ),
  view(
    'search.title',
    IconSearch,
    ['/search'],
    withStrings(() => import('../features/search/SearchView.tsx')),
    false,
  ),
  view(
    'reports.title',
    IconChartBar,
    ['/reports'],
    withStrings(() => import('../features/reports/ReportsView.tsx')),
    false,
  ),
  view(
    'projects.title',
    IconFolders,
    ['/projects'],
    withStrings(() => import('../features/projects/ProjectsView.tsx')),
    false,
  ),
  view('sync.title', IconCloudCheck, ['/sync'], () => import('../features/sync-status/SyncView.tsx'), false),
  view(
    'settings.title',
    IconSettings,
    ['/settings'],
    withStrings(() => import('../features/settings/SettingsView.tsx')),
    false,
  ),
]

/** The view of the company, for those who have one. */
const teamView = view(
  'team.title',
  IconUsers,
  ['/team', '/team/:page', '/team/:page/:part'],
  withStrings(() => import('../features/team/TeamView.tsx')),
  false,
)
const TEAM_PLACE = navigationViews.findIndex(({ title }) => title === 'schedule.title')

/** Returns some views, with that of the company for those who have one. */
export function viewsOf(all: readonly View[], hasTeam: boolean): readonly View[] {
  return hasTeam ? all.toSpliced(TEAM_PLACE, 0, teamView) : all
}

/** The views that everybody finds by the command palette; the last ones are also reached from Settings and the menu. */
export const paletteViews: readonly View[] = [
  ...navigationViews,
  view(
    'importExport.title',
    IconTransfer,
    ['/import-export'],
    withStrings(() => import('../features/import-export/ImportExportView.tsx')),
    false,
  ),
  view(
    'help.title',
    IconHelp,
    ['/help'],
    withStrings(() => import('../features/help/HelpView.tsx')),
    false,
  ),
]

/** All views. Admins reach the last one from Settings. */
const views: readonly View[] = [
  ...paletteViews,
  teamView,
  view(
    'userAccounts.title',
    IconUsers,
    ['/accounts'],
    withStrings(() => import('../features/user-accounts/UserAccountsView.tsx')),
    false,
  ),
]

/** Returns the view of a path. Views differ in the first segment, which is faster to compare than patterns. */
export function viewAt(pathname: string): View | undefined {
  const firstPart = (path: string) => path.split('/')[1]
  return views.find(({ paths }) => paths.some((path) => firstPart(path) === firstPart(pathname)))
}

/** Loads the view of a path early, while the app still looks for a session. */
export function preloadView(pathname: string): void {
  void viewAt(pathname)?.load()
}
