import type { Route, RouteResponse } from '../http/route.ts'
import { accountRoutes } from './account.ts'
import { adminRoutes } from './admin.ts'
import { authRoutes } from './auth.ts'
import { closedDayRoutes, closedWeekRoutes } from './closings.ts'
import { companySignInRoutes } from './company-sign-in.ts'
import { entryRoutes } from './entries.ts'
import { feedRoutes } from './feeds.ts'
import { meRoutes } from './me.ts'
import { metaRoutes, openApiResponse } from './meta.ts'
import { passkeyRoutes } from './passkeys.ts'
import { datedRecordRoutes } from './records.ts'
import type { RouteContext } from './route-context.ts'
import { secondFactorRoutes } from './second-factor.ts'
import { sessionRoutes } from './sessions.ts'
import { syncRoutes } from './sync.ts'
import { teamAwayRoutes } from './team-away.ts'
import { teamChangeRoutes } from './team-changes.ts'
import { companyRoutes } from './team-company.ts'
import { teamMonthRoutes } from './team-months.ts'
import { ownCompanyRoutes } from './team-own.ts'
import { teamPayrollRoutes } from './team-payroll.ts'
import { teamPeopleRoutes } from './team-people.ts'
import { teamRequestRoutes } from './team-requests.ts'
import { webhookRoutes } from './webhooks.ts'

/** Returns the routes of the API, in the order of its document. */
export function allRoutes(services: RouteContext): readonly Route[] {
  const routes: Route[] = [
    entryRoutes,
    (of: RouteContext) => datedRecordRoutes(of, 'settings_history', '/api/settings', 'settings'),
    (of: RouteContext) =>
      datedRecordRoutes(of, 'balance_adjustments', '/api/balance/adjustments', 'balance adjustments'),
    closedDayRoutes,
    closedWeekRoutes,
    accountRoutes,
    syncRoutes,
    authRoutes,
    companySignInRoutes,
    meRoutes,
    sessionRoutes,
    feedRoutes,
    webhookRoutes,
    secondFactorRoutes,
    passkeyRoutes,
    adminRoutes,
    teamAwayRoutes,
    teamRequestRoutes,
    teamMonthRoutes,
    teamChangeRoutes,
    teamPayrollRoutes,
    companyRoutes,
    teamPeopleRoutes,
    ownCompanyRoutes,
  ].flatMap((routesOf) => routesOf(services))
  // Made at the first request for it, since making it takes longer than the rest of a start.
  let document: RouteResponse | undefined
  routes.push(
    ...metaRoutes(services, () => {
      document ??= openApiResponse(routes)
      return document
    }),
  )
  return routes
}
