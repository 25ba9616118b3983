import { addDays, mondayOf } from '@saldo/core'
import { weekKey } from '../account/closed-records.ts'
import { closeOneWeek, reopenWeek } from '../account/closing.ts'
import type { Route } from '../http/route.ts'
import { readTimeline } from '../records/reading.ts'
import { closingRoutes } from './closings.ts'
import type { Services } from './services.ts'

export function closedWeekRoutes(services: Services): Route[] {
  return closingRoutes(services, {
    kind: 'closed_weeks',
    noun: 'week',
    field: 'week',
    closeSummary: 'Close a week that has ended, and its days',
    reopenSummary: 'Reopen a closed week and its days',
    reopenDescription: 'Auto-close ignores them from then on.',
    datesOf: (week) => ({ from: mondayOf(week), to: addDays(mondayOf(week), 6) }),
    keyOf: weekKey,
    close: async (writer, week, closer) => closeOneWeek(writer, await readTimeline(writer), week, closer),
    reopen: reopenWeek,
  })
}
