import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { JsonObject } from '@saldo/core'
import { Broken } from '../check.ts'

const ANSWER_TIMEOUT_MS = 30_000

/** The reply of a client under test to a command: a result or an error. */
export type Reply = { ok: true } & JsonObject

/**
 * A client under test: a process that reads commands from its standard input and writes an answer to each on its standard
 * output, a line of JSON each. `docs/conformance.md` tells the commands.
 */
export class ClientProcess {
  readonly #process: ChildProcess
  readonly #ended: Promise<void>
  readonly #waiting: PromiseWithResolvers<JsonObject>[] = []
  #hasEnded = false
  #complaints = ''

  constructor(command: string) {
    // A group of its own, so that a shell does not outlive what it started, nor the other way round.
    this.#process = spawn(command, { shell: true, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#complaints = (this.#complaints + text).slice(-2_000)
    })
    this.#process.stdin?.on('error', () => undefined)
    if (this.#process.stdout) {
      createInterface({ input: this.#process.stdout }).on('line', (line) => this.#heard(line))
    }
    this.#ended = new Promise((resolve) => {
      this.#process.once('error', () => this.#end(resolve))
      this.#process.once('close', () => this.#end(resolve))
    })
  }

  /** Has the client do something, and returns what it answers. Throws `Broken` where it does not do it. */
  async does(command: JsonObject): Promise<Reply> {
    const reply = await this.tries(command)
    if (reply.ok !== true) throw new Broken(`the client cannot ${JSON.stringify(command)}: ${JSON.stringify(reply)}`)
    return reply as Reply
  }

  /** Has the client do something that it may refuse. */
  async tries(command: JsonObject): Promise<JsonObject> {
    if (this.#hasEnded) throw this.#gone(command)
    const waiting = Promise.withResolvers<JsonObject>()
    this.#waiting.push(waiting)
    this.#process.stdin?.write(`${JSON.stringify(command)}\n`)
    const timer = setTimeout(
      () => waiting.reject(new Broken(`the client does not answer to ${JSON.stringify(command)}`)),
      ANSWER_TIMEOUT_MS,
    )
    try {
      return await waiting.promise
    } catch (error) {
      throw error instanceof Broken ? error : this.#gone(command)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Kills it, which it cannot refuse, and waits until it is gone. */
  async kill(): Promise<void> {
    if (!this.#hasEnded && this.#process.pid !== undefined) process.kill(-this.#process.pid, 'SIGKILL')
    await this.#ended
  }

  #heard(line: string): void {
    const waiting = this.#waiting.shift()
    try {
      waiting?.resolve(JSON.parse(line) as JsonObject)
    } catch {
      waiting?.reject(new Broken(`the client answers what is no JSON: ${line.slice(0, 200)}`))
    }
  }

  #end(resolve: () => void): void {
    this.#hasEnded = true
    for (const waiting of this.#waiting.splice(0)) waiting.reject(new Error('gone'))
    resolve()
  }

  #gone(command: JsonObject): Broken {
    return new Broken(`the client ended before it answered to ${JSON.stringify(command)}: ${this.#complaints}`)
  }
}
