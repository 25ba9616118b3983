import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { HOUR_MS, MINUTE_MS } from '@saldo/core'
import { type Config, readConfig } from './env.ts'
import { HEARTBEAT_EVERY_MS } from './http/event-streams.ts'
import { createLog } from './log.ts'
import { type Service, startService } from './service.ts'
import { systemClock, systemRandom } from './system.ts'

const JOBS_EVERY_MS = 1_000
const WEBHOOKS_EVERY_MS = 1_000
const LOG_ACTS_EVERY_MS = 10_000
const ERASE_EVERY_MS = 10 * MINUTE_MS
const RESET_DEMO_EVERY_MS = HOUR_MS

/** The built web app: that of the published package, else that of the workspace. */
const appDir = ['../web', '../../web/dist']
  .map((path) => join(import.meta.dirname, path))
  .find((path) => existsSync(path))

/**
 * Runs the service until the process receives SIGTERM or SIGINT. Prints one line with its address, which contains the
 * set-up code until there is a user. Throws `ConfigError` and `OpenError`, whose messages are for the operator.
 */
export async function runService(build: string, config: Config = readConfig()): Promise<void> {
  const log = createLog(config.logLevel)
  const service = await startService({
    config,
    clock: systemClock,
    random: systemRandom,
    log,
    build,
    appDir,
  })
  const stopSignal = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve())
  })
  const database = config.databaseUrl === undefined ? 'sqlite' : 'postgresql'
  log.info({ build, database, url: service.url }, 'started')
  if (service.metricsUrl) log.info({ url: service.metricsUrl }, 'serving metrics')
  const address = config.publicUrl ?? service.url
  process.stdout.write(`Saldo is at ${address}/${service.setupCode ? `#setup=${service.setupCode}` : ''}\n`)
  await service.logActsOfCommands()
  const stopTimers = startTimers(service)
  await stopSignal
  log.info({}, 'stopping')
  stopTimers()
  await service.close()
  log.info({}, 'stopped')
}

type Recurring = Pick<
  Service,
  'runJobsAtPace' | 'logActsOfCommands' | 'sendToWebhooks' | 'heartbeat' | 'eraseDue' | 'resetDemo'
>

/** Does a service's recurring work, until the returned function is called. */
export function startTimers(service: Recurring): () => void {
  const timers = [
    setInterval(() => void service.runJobsAtPace(JOBS_EVERY_MS), JOBS_EVERY_MS),
    setInterval(() => void service.sendToWebhooks(), WEBHOOKS_EVERY_MS),
    setInterval(() => void service.heartbeat(), HEARTBEAT_EVERY_MS),
    setInterval(() => void service.logActsOfCommands(), LOG_ACTS_EVERY_MS),
    setInterval(() => void service.eraseDue(), ERASE_EVERY_MS),
    setInterval(() => void service.resetDemo(), RESET_DEMO_EVERY_MS),
  ]
  return () => {
    for (const timer of timers) clearInterval(timer)
  }
}
