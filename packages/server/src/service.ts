import { dirname, join } from 'node:path'
import { type Clock, type DurationMs, instantOf, type Random, type UserNumber } from '@saldo/core'
import { ClockGuard } from './account/clock-guard.ts'
import { JobPace } from './account/job-pace.ts'
import { JobRunner } from './account/jobs.ts'
import type { Config } from './env.ts'
import { HttpApp } from './http/app.ts'
import { EventStreams } from './http/event-streams.ts'
import { MailLimits } from './http/mail-limits.ts'
import { OwnTries } from './http/own-tries.ts'
import { AppServer, listen } from './http/server.ts'
import { readWebApp } from './http/web-app.ts'
import { FailureLog, type Log, logNames } from './log.ts'
import { Mailer } from './mail/mailer.ts'
import { noMeter } from './meter.ts'
import type { Metrics } from './metrics.ts'
import { allRoutes } from './routes/all.ts'
import type { RouteContext } from './routes/route-context.ts'
import { Storage } from './store/storage.ts'
import { type DatabaseLocation, openStores, type Stores } from './store/stores.ts'
import { TeamStore } from './store/team/team-store.ts'
import { type ChangeNotifications, LocalNotifications, withNotifications } from './sync/change-notifications.ts'
import { NodeNotifications } from './sync/node-notifications.ts'
import { AccountTrails } from './team/account-trail.ts'
import { HrChanges } from './team/hr-changes.ts'
import type { InboxMail } from './team/inbox-mail-job.ts'
import { TeamMonths } from './team/months.ts'
import { Payroll } from './team/payroll.ts'
import { TeamRequests } from './team/requests.ts'
import { endRetention } from './team/retention.ts'
import { lastTeamChanges } from './team/team-changes.ts'
import { type PasswordHashing, scryptHashing } from './users/password-hashing.ts'
import { readSecret } from './users/secret.ts'
import { type DoneAct, UserAccountActs, userAccountActs } from './users/user-account-acts.ts'
import type { UserAccounts } from './users/user-accounts.ts'
import { userParts } from './users/user-parts.ts'
import { WebhookSender } from './webhooks/sender.ts'
import { Webhooks } from './webhooks/webhooks.ts'

/** Running requests may take this long to finish when the service stops. */
const DRAIN_MS = 8_000
const STREAM_LIMITS = { maxPerUser: 20, maxPerKey: 10 }
const SETUP_CODE_BYTES = 16

export interface ServiceOptions {
  config: Config
  clock: Clock
  random: Random
  log: Log
  /** Identifies the running program in `GET /api/version`. */
  build: string
  /** The folder of the built web app. */
  appDir?: string | undefined
  /** scrypt by default. */
  hashing?: PasswordHashing | undefined
}

/** Opens the database, migrates it if necessary, and serves. Throws `OpenError` if that fails. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, clock, random, log, build } = options
  const metrics = config.metricsPort === undefined ? undefined : (await import('./metrics.ts')).createMetrics(build)
  const onCommit = (metrics?.meter ?? noMeter).committed
  const stores = await openStores({ ...databaseOf(config), as: 'service', onCommit, clock, random })
  const { from, to } = stores.migrated
  if (from !== to) log.info({ from, to }, 'migrated the database')
  try {
    const service = new Service(options, stores, metrics)
    await service.start()
    return service
  } catch (error) {
    await stores.close()
    throw error
  }
}

/** A running service; see `startService`. */
export class Service {
  /** The URL of the service on this computer. */
  url = ''
  /** The URL of the metrics on this computer; `undefined` if they are off. */
  metricsUrl: string | undefined
  /** The first user needs this code to sign up; `undefined` once there is a user. */
  setupCode: string | undefined
  readonly #options: ServiceOptions
  readonly #stores: Stores
  readonly #failures: FailureLog
  readonly #notifications: ChangeNotifications
  readonly #streams: EventStreams
  readonly #accounts: UserAccounts
  readonly #nameOf: (user: UserNumber) => string
  readonly #mailer: Mailer
  readonly #jobs: JobRunner
  readonly #webhookSender: WebhookSender
  readonly #jobPace = new JobPace(() => performance.now())
  readonly #server: AppServer
  readonly #metricsServer: AppServer | undefined
  #demoReset: Promise<void> = Promise.resolve()
  #isStopping = false

  constructor(options: ServiceOptions, stores: Stores, metrics: Metrics | undefined) {
    const { config, clock, random, log, build, appDir, hashing } = options
    const { driver, users } = stores
    const meter = metrics?.meter ?? noMeter
    const failures = new FailureLog(log, clock)
    const notifications = notificationsOver(stores, random, failures)
    const records = withNotifications(stores.records, notifications)
    const secret = config.authSecret ?? readSecret(config.dataDir, random)
    const mailer = new Mailer(config, clock, log, meter)
    const { publicUrl, providers, oidcOnly } = config
    const context = { driver, users, clock, random, secret, publicUrl, providers, oidcOnly, mailer, hashing }
    const people = userParts(context)
    const { userAccounts, identification } = people
    const webhooks = new Webhooks({ driver, clock, random, secret })
    const team = new TeamStore(driver)
    const streams = new EventStreams({
      records,
      notifications,
      identification,
      lastTeamChanges: (users) => lastTeamChanges(team, users, clock.now()),
      ...STREAM_LIMITS,
      maxTotal: config.eventStreams,
    })
    const nameOf = logNames(secret)
    this.#nameOf = nameOf
    const ownTries = new OwnTries(config.failedSignIns)
    const mailLimits = new MailLimits()
    const isStopping = () => this.#isStopping
    const place = databaseOf(config)
    const folder = 'file' in place ? dirname(place.file) : undefined
    const storage = new Storage({ driver, state: stores.state, clock, folder })
    const acts = new UserAccountActs((done) => this.#logAct(done), userAccounts.tellChange.bind(userAccounts))
    const parts = {
      records,
      acts,
      users,
      ...people,
      webhooks,
      team,
      requests: new TeamRequests({ records, driver, clock }),
      months: new TeamMonths({ records, driver, clock, quotaBytes: config.quotaBytes }),
      hrChanges: new HrChanges({ records, team, clock }),
      accountTrails: new AccountTrails({ records, team, clock }),
      payroll: new Payroll({ driver, records, clock, companies: people.companies }),
      mailer,
      streams,
      storage,
      ownTries,
      mailLimits,
      meter,
      nameOf,
      isStopping,
    }
    const services: RouteContext = { ...parts, clock, random, config, build, log }
    const webApp = appDir === undefined ? undefined : readWebApp(appDir)
    const app = new HttpApp({ ...services, routes: allRoutes(services), webApp, failures, jobPace: this.#jobPace })
    const onJobFailure = (user: UserNumber, error: unknown) =>
      failures.log(error, { user: nameOf(user) }, 'a job failed')
    const share = notifications.share.bind(notifications)
    this.#options = options
    this.#stores = stores
    this.#failures = failures
    this.#notifications = notifications
    this.#streams = streams
    this.#accounts = userAccounts
    this.#mailer = mailer
    const clockGuard = new ClockGuard(stores.state, (seenMs) => {
      log.error({ last_run: instantOf(seenMs) }, 'the clock is far ahead of the last run: auto-close waits for a day')
    })
    const onInboxMail = (user: UserNumber, { company, news }: InboxMail) =>
      people.companies.announcements.tell(company, user, news)
    this.#jobs = new JobRunner({
      store: records,
      clock,
      onFailure: onJobFailure,
      onInboxMail,
      share,
      meter,
      clockGuard,
    })
    this.#webhookSender = new WebhookSender({
      webhooks,
      clock,
      meter,
      share,
      privateHosts: config.privateWebhookHosts,
      mayGet: async ({ user, company }) => company === null || people.companies.isHr(user, company),
      onDisabled: (user, reason) => log.info({ user: nameOf(user), reason }, 'switched off a webhook'),
      onFailure: (error) => failures.log(error, {}, 'delivering to webhooks failed'),
    })
    this.#server = new AppServer(app.listener)
    this.#metricsServer = metrics && new AppServer(metrics.page({ openStreams: () => streams.size, storage }))
  }

  async start(): Promise<void> {
    const { config, random } = this.#options
    if (config.demo) await this.#resetDemo()
    else if (config.signup !== 'closed' && !config.oidcOnly) {
      this.setupCode = await this.#stores.users.setupCode(random.token(SETUP_CODE_BYTES))
    }
    this.url = await listen(this.#server.http, config.host, config.port)
    if (!this.#metricsServer) return
    try {
      const { metricsHost, metricsPort = 0 } = config
      this.metricsUrl = `${await listen(this.#metricsServer.http, metricsHost, metricsPort, 'SALDO_METRICS_PORT')}/metrics`
    } catch (error) {
      this.#server.http.close()
      throw error
    }
  }

  /** Runs all jobs that are due, recomputations and auto-close. Failures are logged, and retried next time. */
  runDueJobs(): Promise<void> {
    return this.#runJobs({})
  }

  /** Like `runDueJobs`, but lets the requests of other users go first, and begins no further piece after `maxMs`. */
  runJobsAtPace(maxMs: DurationMs): Promise<void> {
    return this.#runJobs({ maxMs, pace: this.#jobPace })
  }

  async #runJobs(limits: Parameters<JobRunner['runDue']>[0]): Promise<void> {
    try {
      await this.#jobs.runDue(limits)
    } catch (error) {
      this.#failures.log(error, {}, 'reading the jobs failed')
    }
  }

  /** Sends what webhooks are to be told, until nothing is due. Failures are logged, and retried later. */
  sendToWebhooks(): Promise<void> {
    return this.#webhookSender.sendDue()
  }

  /**
   * Erases accounts whose time of grace has ended, and what companies have kept for long enough. Failures are logged,
   * and retried next time.
   */
  async eraseDue(): Promise<void> {
    try {
      const erased = await this.#accounts.eraseDue((user, error) =>
        this.#failures.log(error, { user: this.#nameOf(user) }, 'erasing an account failed'),
      )
      if (erased > 0) this.#options.log.info({ accounts: erased }, 'erased accounts whose time of grace has ended')
    } catch (error) {
      this.#failures.log(error, {}, 'erasing accounts failed')
    }
    const onFailure = (error: unknown) => this.#failures.log(error, {}, 'ending the retention of a company failed')
    await endRetention({ driver: this.#stores.driver, clock: this.#options.clock, onFailure })
  }

  /** Resets the demo, if this is one. Failures are logged, and the demo stays as it is until the next reset. */
  async resetDemo(): Promise<void> {
    if (!this.#options.config.demo) return
    this.#demoReset = this.#resetDemo().catch((error) => this.#failures.log(error, {}, 'resetting the demo failed'))
    await this.#demoReset
  }

  async #resetDemo(): Promise<void> {
    const { config, clock, random, hashing = scryptHashing, log } = this.#options
    const { users, records } = this.#stores
    const { resetDemo } = await import('./demo/reset.ts')
    await resetDemo({ users, records, hashing, clock, random, quotaBytes: config.quotaBytes })
    log.info({}, 'reset the demo')
  }

  /** Logs what commands have done to accounts. Failures are logged, and retried next time. */
  async logActsOfCommands(): Promise<void> {
    try {
      for (const act of await this.#stores.state.takeActs()) this.#logAct(JSON.parse(act) as DoneAct)
    } catch (error) {
      this.#failures.log(error, {}, 'reading the acts of commands failed')
    }
  }

  #logAct({ act, user, by }: DoneAct): void {
    const doer = typeof by === 'string' ? by : this.#nameOf(by)
    this.#options.log.info({ act, user: this.#nameOf(user), by: doer }, userAccountActs[act].words)
  }

  /** Checks the event streams; to be called every `HEARTBEAT_EVERY_MS`. Failures are logged. */
  async heartbeat(): Promise<void> {
    try {
      await Promise.all([this.#streams.heartbeat(), this.#notifications.heartbeat()])
    } catch (error) {
      this.#failures.log(error, {}, 'checking the event streams failed')
    }
  }

  /** Drains the server, ends the event streams, waits for mails, and closes the database. */
  async close(): Promise<void> {
    this.#isStopping = true
    this.#streams.close()
    await this.#server.drain(DRAIN_MS)
    await this.#metricsServer?.drain(0)
    await this.#jobs.stop()
    await this.#webhookSender.stop()
    await this.#demoReset
    await this.#mailer.close()
    await this.#notifications.close()
    await this.#stores.close()
  }
}

/** Returns change notifications within this process, or between all nodes of a database. */
function notificationsOver(
  { announcements, records }: Stores,
  random: Random,
  failures: FailureLog,
): ChangeNotifications {
  const after = (ms: number, work: () => void) => void setTimeout(work, ms)
  if (!announcements) return new LocalNotifications(after)
  const onFailure = (error: unknown) => failures.log(error, {}, 'listening to other nodes failed')
  return new NodeNotifications({ announcements, records, node: random.uuid(), after, onFailure })
}

/** Returns where the database of a configuration is. */
export function databaseOf(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseConnections' | 'demo'>,
): DatabaseLocation {
  const { databaseUrl, databaseConnections } = config
  return databaseUrl === undefined
    ? { file: databaseFile(config) }
    : { url: databaseUrl, connections: databaseConnections }
}

/** Returns the path of the database file in a data folder. A demo has one of its own (D23.1). */
export function databaseFile({ dataDir, demo = false }: { dataDir: string; demo?: boolean }): string {
  return join(dataDir, demo ? 'demo.db' : 'saldo.db')
}
