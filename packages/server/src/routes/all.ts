import type { Route } from '../http/route.ts'
import { accountRoutes } from './account.ts'
import { authRoutes } from './auth.ts'
import { closedDayRoutes, closedWeekRoutes } from './closings.ts'
import { datedRecordRoutes } from './dated-records.ts'
import { entryRoutes } from './entries.ts'
import { meRoutes } from './me.ts'
import { metaRoutes } from './meta.ts'
import { passkeyRoutes } from './passkeys.ts'
import { secondFactorRoutes } from './second-factor.ts'
import type { Services } from './services.ts'
import { sessionRoutes } from './sessions.ts'
import { syncRoutes } from './sync.ts'
import { tokenRoutes } from './tokens.ts'

/** Returns the routes of the API, in the order of its document. */
export function allRoutes(services: Services): readonly Route[] {
  const routes: Route[] = [
    entryRoutes,
    datedRecordRoutes,
    closedDayRoutes,
    closedWeekRoutes,
    accountRoutes,
    syncRoutes,
    authRoutes,
    meRoutes,
    sessionRoutes,
    tokenRoutes,
    secondFactorRoutes,
    passkeyRoutes,
  ].flatMap((routesOf) => routesOf(services))
  routes.push(...metaRoutes(services, () => routes))
  return routes
}
