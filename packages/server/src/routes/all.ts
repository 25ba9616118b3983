import type { Answer, Route } from '../http/route.ts'
import { accountRoutes } from './account.ts'
import { adminRoutes } from './admin.ts'
import { authRoutes } from './auth.ts'
import { closedDayRoutes, closedWeekRoutes } from './closings.ts'
import { companySignInRoutes } from './company-sign-in.ts'
import { entryRoutes } from './entries.ts'
import { feedRoutes } from './feeds.ts'
import { meRoutes } from './me.ts'
import { metaRoutes, openApiAnswer } from './meta.ts'
import { passkeyRoutes } from './passkeys.ts'
import { datedRecordRoutes } from './records.ts'
import { secondFactorRoutes } from './second-factor.ts'
import type { Services } from './services.ts'
import { sessionRoutes } from './sessions.ts'
import { syncRoutes } from './sync.ts'
import { webhookRoutes } from './webhooks.ts'

/** Returns the routes of the API, in the order of its document. */
export function allRoutes(services: Services): readonly Route[] {
  const routes: Route[] = [
    entryRoutes,
    (of: Services) => datedRecordRoutes(of, 'settings_history', '/api/settings', 'settings'),
    (of: Services) => datedRecordRoutes(of, 'balance_adjustments', '/api/balance/adjustments', 'balance adjustments'),
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
  ].flatMap((routesOf) => routesOf(services))
  // Made at the first request for it, since making it takes longer than the rest of a start.
  let document: Answer | undefined
  routes.push(
    ...metaRoutes(services, () => {
      document ??= openApiAnswer(routes)
      return document
    }),
  )
  return routes
}
