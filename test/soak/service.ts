import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { instantOf } from '@saldo/core'
import { Auth, type DatabasePlace, openStores, systemRandom } from '@saldo/server'
import { inPieces } from '../../bench/load.ts'
import type { Vitals } from './fast-time.ts'
import type { Pace } from './pace.ts'

const program = join(import.meta.dirname, '../../packages/cli/dist/saldo.js')

/** A user of the service, by what they show. */
export interface Account {
  id: number
  email: string
  token: string
}

export const PASSWORD = 'a password for the long run'
/** So many users sign in with it; the others have a token only, since each password takes its time to hash. */
export const WITH_PASSWORD = 20

/** Makes users in a new database. */
export async function addAccounts(place: DatabasePlace, count: number, nowMs: number): Promise<Account[]> {
  const context = { clock: { now: () => nowMs }, random: systemRandom }
  const stores = await openStores({ ...place, as: 'service', ...context })
  const auth = new Auth({ ...stores, ...context, secret: systemRandom.token(32), publicUrl: undefined })
  const at = instantOf(nowMs)
  const accounts: Account[] = []
  await inPieces(count, 64, async (n) => {
    const email = `user-${n}@example.com`
    const added =
      n < WITH_PASSWORD
        ? await auth.signUp({ email, password: PASSWORD })
        : await stores.users.add({ email, passwordHash: 'none', at })
    if (added.outcome !== 'added') throw new Error(added.outcome)
    accounts[n] = { id: added.user, email, token: (await auth.createToken(added.user, 'soak')).secret }
  })
  await stores.close()
  return accounts
}

/** The built program, as `npm start` runs it, in a process of its own whose time passes faster. */
export class SoakedService {
  readonly port: number
  readonly #child: ChildProcess
  readonly #logFile: string

  private constructor(child: ChildProcess, port: number, logFile: string) {
    this.#child = child
    this.port = port
    this.#logFile = logFile
  }

  static async start(environment: Record<string, string>, pace: Pace, logFile: string): Promise<SoakedService> {
    const log = openSync(logFile, 'a')
    // The service refuses settings that it does not know, such as those of the tests.
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SALDO_'))
    const child = fork(program, ['serve'], {
      execArgv: ['--expose-gc', '--import', join(import.meta.dirname, 'fast-time.ts')],
      stdio: ['ignore', 'pipe', log, 'ipc'],
      env: {
        ...Object.fromEntries(inherited),
        SALDO_PORT: '0',
        SALDO_LOG_LEVEL: 'warn',
        // Many addresses sign in.
        SALDO_TRUSTED_PROXIES: '1',
        ...environment,
        SOAK_PACE: JSON.stringify(pace),
      },
    })
    closeSync(log)
    const kill = () => void child.kill()
    process.once('exit', kill)
    child.once('exit', () => process.off('exit', kill))
    const ended = once(child, 'exit').then(() => {
      throw new Error(`the service ended before it was ready:\n${readFileSync(logFile, 'utf8')}`)
    })
    if (!child.stdout) throw new Error('the service has no output')
    const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [string]
    return new SoakedService(child, Number(/:(\d+)\//.exec(line)?.[1]), logFile)
  }

  /** Returns the state of the process; with `collect`, after a garbage collection. */
  async vitals(collect: boolean): Promise<Vitals> {
    this.#child.send({ collect })
    const [vitals] = (await once(this.#child, 'message')) as [Vitals]
    return vitals
  }

  /** Warnings and errors that it logged, a line each. */
  logged(): string[] {
    return readFileSync(this.#logFile, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  }

  /** Ends it as an operator does. Returns its exit code, null where it did not end in time. */
  async stop(): Promise<number | null> {
    if (this.#child.exitCode !== null) return this.#child.exitCode
    this.#child.kill('SIGTERM')
    const [code] = (await once(this.#child, 'exit')) as [number | null]
    return code
  }
}
