import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderInMemory } from '../../packages/server/test/memory.ts'
import type { Memory, Told, User, Wish } from './wire.ts'

/** The real service on a real socket and database, in a process of its own. */
export class FuzzedService {
  readonly url: string
  readonly #child: ChildProcess
  readonly #folder: string
  /** Its logged errors and warnings, and its exit. */
  readonly failures: string[] = []
  readonly #ended: Promise<undefined>
  #asking: Promise<unknown> = Promise.resolve()
  #answer: ((told: Told) => void) | undefined

  private constructor(url: string, child: ChildProcess, folder: string) {
    this.url = url
    this.#child = child
    this.#folder = folder
    child.on('message', (told: Told) => {
      if (told.tells === 'failure') this.failures.push(told.message)
      else this.#answer?.(told)
    })
    this.#ended = once(child, 'exit').then(([code, signal]) => {
      this.failures.push(`the service ended: ${code ?? signal}`)
      return undefined
    })
  }

  /** Starts one, on a new SQLite file where no database on PostgreSQL is named. */
  static async start(databaseUrl?: string): Promise<FuzzedService> {
    const folder = mkdtempSync(join(folderInMemory() ?? tmpdir(), 'saldo-fuzz-'))
    const authSecret = 'the same for all nodes '.repeat(2)
    const settings = { dataDir: folder, authSecret, ...(databaseUrl !== undefined && { databaseUrl }) }
    const child = fork(join(import.meta.dirname, 'service-child.ts'), [JSON.stringify(settings)], { execArgv: [] })
    process.once('exit', () => child.kill('SIGKILL'))
    const [told] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [Told | number | null]
    if (typeof told !== 'object' || told?.tells !== 'address')
      throw new Error(`the service did not start: ${JSON.stringify(told)}`)
    return new FuzzedService(told.url, child, folder)
  }

  user(email: string): Promise<User> {
    return this.#ask({ wish: 'user', email }) as Promise<Told & User>
  }

  async wait(ms: number): Promise<void> {
    await this.#ask({ wish: 'wait', ms })
  }

  async memory(): Promise<Memory> {
    const { rss, heapUsed, external } = (await this.#ask({ wish: 'memory' })) as Told & Memory
    return { rss, heapUsed, external }
  }

  async stop(): Promise<void> {
    if (this.#child.connected) {
      await this.#ask({ wish: 'stop' })
      this.#child.disconnect()
    }
    await this.#ended
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Asks one thing after the other. */
  #ask(wish: Wish): Promise<Told> {
    const told = this.#asking.then(() => this.#askNow(wish))
    this.#asking = told.catch(() => undefined)
    return told
  }

  async #askNow(wish: Wish): Promise<Told> {
    const answered = new Promise<Told>((resolve) => {
      this.#answer = resolve
    })
    this.#child.send(wish)
    const told = await Promise.race([answered, this.#ended])
    this.#answer = undefined
    if (!told) throw new Error(this.failures.join('\n'))
    return told
  }
}
