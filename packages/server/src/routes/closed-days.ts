import { dayKey } from '../account/closed-records.ts'
import { closeOneDay, reopenDay } from '../account/closing.ts'
import type { Route } from '../http/route.ts'
import { closingRoutes } from './closings.ts'
import type { Services } from './services.ts'

export function closedDayRoutes(services: Services): Route[] {
  return closingRoutes(services, {
    kind: 'closed_days',
    noun: 'day',
    field: 'date',
    closeSummary: 'Close a day that has ended',
    reopenSummary: 'Reopen a closed day',
    reopenDescription: 'Auto-close ignores it from then on. A day of a closed week can only be reopened with its week.',
    datesOf: (date) => ({ from: date, to: date }),
    keyOf: dayKey,
    close: closeOneDay,
    reopen: reopenDay,
  })
}
