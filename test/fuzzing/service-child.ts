// The real service in a process of its own, told by its parent what to do. Its arguments are settings, as JSON.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Auth, type Config, databaseOf, type Log, openStores, readConfig, startService } from '@saldo/server'
import { chanceOf } from '../simulation/chance.ts'
import { PASSWORD, START_MS, type Told, type Wish } from './wire.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const tell = (told: Told) => process.send?.(told)
const failed = (fields: object, message: string) => {
  const { err } = fields as { err?: Error }
  tell({ tells: 'failure', message: `${message}: ${err?.stack ?? JSON.stringify(fields)}` })
}
const log: Log = { error: failed, warn: failed, info() {}, debug() {} }

let nowMs = START_MS
const clock = { now: () => nowMs }
const random = chanceOf(1)
const wanted = JSON.parse(process.argv[2] ?? '{}') as Partial<Config>
const config: Config = {
  ...readConfig({}),
  port: 0,
  signup: 'open',
  writesPerMinute: 1_000_000,
  trustedProxies: 1,
  ...wanted,
}
const service = await startService({ config, clock, random, log, build: 'fuzzed' })
const stores = await openStores({ ...databaseOf(config), clock, random, as: 'command' })
const auth = new Auth({ ...stores, clock, random, secret: random.token(32), publicUrl: undefined })

const wishes: Record<Wish['wish'], (wish: never) => Promise<Told>> = {
  async user({ email }: { email: string }) {
    const added = await auth.signUp(email, PASSWORD)
    if (added.outcome !== 'added') throw new Error(added.outcome)
    const { secret } = await auth.createToken(added.user, 'fuzzing')
    return { tells: 'user', id: added.user, token: secret }
  },
  async wait({ ms }: { ms: number }) {
    nowMs += ms
    await service.runDueJobs()
    await service.heartbeat()
    return { tells: 'done' }
  },
  async memory() {
    collect()
    collect()
    const { rss, heapUsed, external } = process.memoryUsage()
    return { tells: 'memory', rss, heapUsed, external }
  },
  async stop() {
    await stores.close()
    await service.close()
    return { tells: 'done' }
  },
}

// Nobody is there any more to tell it to stop.
process.once('disconnect', () => process.exit())
process.on('message', (wish: Wish) => {
  void wishes[wish.wish](wish as never).then(
    (told) => process.connected && tell(told),
    (error) => failed({ err: error }, wish.wish),
  )
})
tell({ tells: 'address', url: service.url })
