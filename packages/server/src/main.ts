import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { type Config, readConfig } from './env.ts'
import { TEND_EVERY_MS } from './http/event-streams.ts'
import { createLog } from './log.ts'
import { startService } from './service.ts'
import { systemClock } from './system/clock.ts'
import { type HeapGrowth, letHeapGrow } from './system/heap.ts'
import { systemRandom } from './system/random.ts'

/** How often work that is due is looked for, in milliseconds. */
const JOBS_EVERY_MS = 1_000

/** Where the web app is built: as far from the sources as from the bundled program. */
const APP_DIR = join(import.meta.dirname, '../../web/dist')

/**
 * V8 lets its heap grow to a multiple of what is alive before it collects, and gives young objects ever more room. Told to grow
 * slowly, and on a file, where a service is small, to leave the young their first room, it takes 170 MB under load instead of
 * 270. A node on PostgreSQL, which serves many, spends a quarter less of the processor on a push with room for the young, and a
 * third less of it on a snapshot where the old, 14 MB as long as there are few streams, may become 40 before they are looked through.
 * Nor do its threads collect the young together, which costs more than one alone, or objects begin as old ones because others of
 * their place in the program once became old: a tenth less of a push.
 */
const heaps: Record<'file' | 'postgres', { flags: readonly string[]; growth: HeapGrowth }> = {
  file: { flags: ['--semi-space-growth-factor=1'], growth: { smallBytes: 0, percent: 50 } },
  postgres: {
    flags: ['--no-parallel-scavenge', '--no-allocation-site-pretenuring'],
    growth: { smallBytes: 40 * 1024 * 1024, percent: 20 },
  },
}

/**
 * Runs the service until the process is told to stop. Prints one line with its address, and with the set-up code in it
 * until there is a user. Throws `ConfigError` and `OpenError`, whose messages are for the person who starts it.
 */
export async function runService(build: string, config: Config = readConfig()): Promise<void> {
  const heap = heaps[config.databaseUrl === undefined ? 'file' : 'postgres']
  for (const flag of heap.flags) setFlagsFromString(flag)
  letHeapGrow(heap.growth)
  const log = createLog(config.logLevel)
  const service = await startService({
    config,
    clock: systemClock,
    random: systemRandom,
    log,
    build,
    appDir: APP_DIR,
  })
  const told = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve())
  })
  if (service.metricsUrl) log.info({ url: service.metricsUrl }, 'metrics can be read')
  const address = config.publicUrl ?? service.url
  process.stdout.write(`Saldo is at ${address}/${service.setupCode ? `#setup=${service.setupCode}` : ''}\n`)

  // Never rejects: what fails is logged.
  const timers = [
    setInterval(() => void service.runDueJobs(), JOBS_EVERY_MS),
    setInterval(() => void service.tendStreams(), TEND_EVERY_MS),
  ]
  await told
  for (const timer of timers) clearInterval(timer)
  await service.close()
}
