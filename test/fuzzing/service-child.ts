// The real service in a process of its own, controlled by its parent. Its arguments are settings, as JSON.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Config, databaseOf, type Log, openStores, readConfig, startService, userParts } from '@saldo/server'
import { chanceOf } from '../simulation/chance.ts'
import { type ChildMessage, PASSWORD, START_MS, type Wish } from './wire.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const tell = (message: ChildMessage) => process.send?.(message)
const failed = (fields: object, message: string) => {
  const { err } = fields as { err?: Error }
  tell({ type: 'failure', message: `${message}: ${err?.stack ?? JSON.stringify(fields)}` })
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
  writtenBytesPerMinute: 1e12,
  trustedProxies: 1,
  ...wanted,
}
const service = await startService({ config, clock, random, log, build: 'fuzzed' })
const stores = await openStores({ ...databaseOf(config), clock, random, as: 'command' })
const { tokens, userAccounts } = userParts({ ...stores, clock, random, secret: random.token(32), publicUrl: undefined })

const wishes: Record<Wish['wish'], (wish: never) => Promise<ChildMessage>> = {
  async user({ email }: { email: string }) {
    const added = await userAccounts.signUp({ email, password: PASSWORD })
    if (added.outcome !== 'added') throw new Error(added.outcome)
    const { secret } = await tokens.create(added.user, 'fuzzing')
    return { type: 'user', id: added.user, token: secret }
  },
  async wait({ ms }: { ms: number }) {
    nowMs += ms
    await service.runDueJobs()
    await service.heartbeat()
    return { type: 'done' }
  },
  async memory() {
    collect()
    collect()
    const { rss, heapUsed, external } = process.memoryUsage()
    return { type: 'memory', rss, heapUsed, external }
  },
  async stop() {
    await stores.close()
    await service.close()
    return { type: 'done' }
  },
}

// Nobody is there any more to tell it to stop.
process.once('disconnect', () => process.exit())
process.on('message', (wish: Wish) => {
  void wishes[wish.wish](wish as never).then(
    (message) => process.connected && tell(message),
    (error) => failed({ err: error }, wish.wish),
  )
})
tell({ type: 'address', url: service.url })
