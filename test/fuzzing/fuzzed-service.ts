import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderInMemory } from '../../packages/server/test/memory.ts'
import type { ChildMessage, Memory, User, Wish } from './wire.ts'

/** The real service on a real socket and database, in a process of its own. */
export class FuzzedService {
  readonly url: string
  readonly #child: ChildProcess
  readonly #folder: string
  /** Its logged errors and warnings, and its exit. */
  readonly failures: string[] = []
  readonly #ended: Promise<undefined>
  #asking: Promise<unknown> = Promise.resolve()
  #answer: ((message: ChildMessage) => void) | undefined

  private constructor(url: string, child: ChildProcess, folder: string) {
    this.url = url
    this.#child = child
    this.#folder = folder
    child.on('message', (message: ChildMessage) => {
      if (message.type === 'failure') this.failures.push(message.message)
      else this.#answer?.(message)
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
    const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [
      ChildMessage | number | null,
    ]
    if (typeof message !== 'object' || message?.type !== 'address')
      throw new Error(`the service did not start: ${JSON.stringify(message)}`)
    return new FuzzedService(message.url, child, folder)
  }

  user(email: string): Promise<User> {
    return this.#ask({ wish: 'user', email }) as Promise<ChildMessage & User>
  }

  async wait(ms: number): Promise<void> {
    await this.#ask({ wish: 'wait', ms })
  }

  async memory(): Promise<Memory> {
    const { rss, heapUsed, external } = (await this.#ask({ wish: 'memory' })) as ChildMessage & Memory
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
  #ask(wish: Wish): Promise<ChildMessage> {
    const message = this.#asking.then(() => this.#askNow(wish))
    this.#asking = message.catch(() => undefined)
    return message
  }

  async #askNow(wish: Wish): Promise<ChildMessage> {
    const answered = new Promise<ChildMessage>((resolve) => {
      this.#answer = resolve
    })
    this.#child.send(wish)
    const message = await Promise.race([answered, this.#ended])
    this.#answer = undefined
    if (!message) throw new Error(this.failures.join('\n'))
    return message
  }
}
