import { createServer, type Server } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { join } from 'node:path'
import type { Clock, Random } from '@saldo/core'
import { JobRunner } from './account/jobs.ts'
import type { Config } from './env.ts'
import { FailureLog } from './failure-log.ts'
import { type AppOptions, createApp } from './http/app.ts'
import { drainable } from './http/drain.ts'
import { EventStreams } from './http/event-streams.ts'
import { metricsPage } from './http/metrics-page.ts'
import type { Route } from './http/route.ts'
import { QUARTER_HOUR_SECONDS, Throttle } from './http/throttle.ts'
import { refuseUnreadable } from './http/unreadable.ts'
import { readWebApp } from './http/web-app.ts'
import { type Log, logNames } from './log.ts'
import { noMeter } from './meter.ts'
import { accountRoutes } from './routes/account.ts'
import { adjustmentRoutes } from './routes/adjustments.ts'
import { authRoutes } from './routes/auth.ts'
import { balanceRoutes } from './routes/balance.ts'
import { closedDayRoutes } from './routes/closed-days.ts'
import { closedWeekRoutes } from './routes/closed-weeks.ts'
import { entryRoutes } from './routes/entries.ts'
import { meRoutes } from './routes/me.ts'
import { metaRoutes } from './routes/meta.ts'
import { passkeyRoutes } from './routes/passkeys.ts'
import { secondFactorRoutes } from './routes/second-factor.ts'
import type { Services } from './routes/services.ts'
import { settingsRoutes } from './routes/settings.ts'
import { syncRoutes } from './routes/sync.ts'
import { OpenError } from './store/sql.ts'
import { type DatabasePlace, openStores, type Stores } from './store/stores.ts'
import { type ChangeNotifications, LocalNotifications, withNotifications } from './sync/change-notifications.ts'
import { NodeNotifications } from './sync/node-notifications.ts'
import { createAuth } from './users/auth.ts'
import { readSecret } from './users/secret.ts'

/** How long running requests may take to end when the service stops, in milliseconds. */
const DRAIN_MS = 8_000
/**
 * How long nothing may move on a connection, such as that of a client that does not read its answer, in milliseconds.
 * Longer than a request may take to come whole, since that is refused in words.
 */
const IDLE_MS = 120_000
/**
 * How long a connection waits for its next request, in milliseconds: longer than proxies and clients keep one that they
 * do not use (nginx 60 s), so that no request meets the end of its connection.
 */
const KEEP_ALIVE_MS = 75_000
/** The most event streams of one user, and of all. */
const MAX_STREAMS = { maxOfUser: 20, maxOfProcess: 5_000 }
const SETUP_CODE_BYTES = 16

export interface ServiceOptions {
  config: Config
  clock: Clock
  random: Random
  log: Log
  /** Which build runs, for `GET /api/version`. */
  build: string
  /** The folder of the built web app; without it, or where nothing is built, a plain page stands at `/`. */
  appDir?: string
}

/** A running service. */
export interface Service {
  /** Where it is reached on this computer. */
  url: string
  /** Where metrics are read on this computer; `undefined` where nobody asks for them. */
  metricsUrl: string | undefined
  /** What the first user needs to sign up; `undefined` once there is a user. */
  setupCode: string | undefined
  /** Does the work that is due: recomputations and auto-close. What fails is logged, and tried again the next time. */
  runDueJobs(): Promise<void>
  /** Tends the event streams, every `TEND_EVERY_MS`. What fails is logged. */
  tendStreams(): Promise<void>
  /** Takes no more connections, ends the event streams, lets running requests end, and closes the database. */
  close(): Promise<void>
}

/** Opens the database, migrates it where needed, and serves. Throws `OpenError` where that cannot be done. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, clock, random, log } = options
  const metrics =
    config.metricsPort === undefined ? undefined : (await import('./metrics.ts')).createMetrics(options.build)
  const meter = metrics?.meter ?? noMeter
  const database = { ...databaseOf(config), as: 'service', onCommit: meter.committed } as const
  const stores = await openStores({ ...database, clock, random })
  const { from, to } = stores.migrated
  if (from !== to) log.info({ from, to }, 'the database was migrated')
  try {
    const failures = new FailureLog(log, clock)
    const notifications = notificationsOver(stores, random, failures)
    const records = withNotifications(stores.records, notifications)
    const secret = config.authSecret ?? readSecret(config.dataDir, random)
    const { driver, users } = stores
    const auth = createAuth({ driver, users, clock, random, secret, publicUrl: config.publicUrl })
    const streams = new EventStreams({ records, notifications, auth, ...MAX_STREAMS })
    const nameOf = logNames(secret)
    const jobs = new JobRunner(
      records,
      clock,
      (user, error) => failures.tell(error, { user: nameOf(user) }, 'a job failed'),
      meter,
    )
    let stops = false
    const isStopping = () => stops
    const ownTries = new Throttle(config.failedSignIns, QUARTER_HOUR_SECONDS)
    const services = { records, users, auth, streams, ownTries, clock, random, config, log, nameOf, meter, isStopping }
    const app = createApp({ ...services, ...pagesOf(options, services), failures })
    const server = createServer({ requestTimeout: 60_000, headersTimeout: 20_000, requireHostHeader: false }, app)
    server.setTimeout(IDLE_MS)
    server.keepAliveTimeout = KEEP_ALIVE_MS
    // What a client expects beyond «100-continue» is no reason to leave it without our answer (D1).
    server.on('checkExpectation', (request, response) => server.emit('request', request, response))
    refuseUnreadable(server)
    const drain = drainable(server)
    const metricsServer = metrics && createServer(metricsPage(metrics, () => streams.size))
    const setupCode =
      config.signup === 'closed' ? undefined : await stores.users.setupCode(random.token(SETUP_CODE_BYTES))
    await listen(server, config)
    if (metricsServer) {
      await listen(metricsServer, { host: config.metricsHost, port: config.metricsPort ?? 0 }).catch((error) => {
        server.close()
        throw error
      })
    }
    return {
      url: urlOf(server, config.host),
      metricsUrl: metricsServer && `${urlOf(metricsServer, config.metricsHost)}/metrics`,
      setupCode,
      runDueJobs: () => jobs.runDue().catch((error) => failures.tell(error, {}, 'the jobs cannot be read')),
      tendStreams: () =>
        Promise.all([streams.tend(), notifications.heartbeat()])
          .then(() => undefined)
          .catch((error) => failures.tell(error, {}, 'the event streams cannot be looked after')),
      async close() {
        stops = true
        streams.close()
        await drain(DRAIN_MS)
        metricsServer?.close()
        metricsServer?.closeAllConnections()
        await jobs.stop()
        await notifications.close()
        await stores.close()
      },
    }
  } catch (error) {
    await stores.close()
    throw error
  }
}

/** Opens change notifications within this process, or between all nodes of a database. */
function notificationsOver(
  { announcements, records }: Stores,
  random: Random,
  failures: FailureLog,
): ChangeNotifications {
  const after = (ms: number, work: () => void) => void setTimeout(work, ms)
  if (!announcements) return new LocalNotifications(after)
  const onFailure = (error: unknown) => failures.tell(error, {}, 'other nodes are not heard at once')
  return new NodeNotifications({ announcements, records, node: random.uuid(), after, onFailure })
}

/** Where the database of a configuration is. */
export function databaseOf({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): DatabasePlace {
  return databaseUrl === undefined ? { file: databaseFile({ dataDir }) } : { url: databaseUrl }
}

/** Where the database file of a data folder lies. */
export function databaseFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'saldo.db')
}

function pagesOf({ build, appDir }: ServiceOptions, services: Services): Pick<AppOptions, 'routes' | 'webApp'> {
  const routes: Route[] = [
    ...entryRoutes(services),
    ...settingsRoutes(services),
    ...adjustmentRoutes(services),
    ...closedDayRoutes(services),
    ...closedWeekRoutes(services),
    ...balanceRoutes(services),
    ...accountRoutes(services),
    ...syncRoutes(services),
    ...authRoutes(services),
    ...meRoutes(services),
    ...secondFactorRoutes(services),
    ...passkeyRoutes(services),
    ...metaRoutes(services, build, () => routes),
  ]
  return { routes, webApp: appDir === undefined ? undefined : readWebApp(appDir) }
}

function listen(server: Server, { host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE'
      reject(new OpenError(taken ? `port ${port} is in use` : `cannot listen on ${host}:${port}: ${error.message}`))
    })
    server.listen(port, host, resolve)
  })
}

/** How this computer calls a server that listens on `host`. */
function urlOf(server: Server, host: string): string {
  const isAny = ['127.0.0.1', '0.0.0.0', '::'].includes(host)
  const name = isAny ? 'localhost' : isIPv6(host) ? `[${host}]` : host
  return `http://${name}:${(server.address() as AddressInfo).port}`
}
