import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { JsonObject } from '@saldo/core'
import { RuleViolation } from '../check.ts'

const ANSWER_TIMEOUT_MS = 30_000

/** The answer of a client under test to a command that succeeded. */
export type ProcessReply = { ok: true } & JsonObject

/**
 * A client under test: a process that reads commands from standard input and writes an answer to each on standard
 * output, one line of JSON each. `docs/conformance.md` describes the commands.
 */
export class ClientProcess {
  readonly #process: ChildProcess
  readonly #ended: Promise<void>
  readonly #waiting: PromiseWithResolvers<JsonObject>[] = []
  #hasEnded = false
  #stderr = ''

  constructor(command: string) {
    // In a process group of its own, so that the shell and the client are killed together.
    this.#process = spawn(command, { shell: true, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-2_000)
    })
    this.#process.stdin?.on('error', () => undefined)
    if (this.#process.stdout) {
      createInterface({ input: this.#process.stdout }).on('line', (line) => this.#requests(line))
    }
    this.#ended = new Promise((resolve) => {
      this.#process.once('error', () => this.#end(resolve))
      this.#process.once('close', () => this.#end(resolve))
    })
  }

  /** Sends a command and returns the answer. Throws `RuleViolation` if the client fails. */
  async send(command: JsonObject): Promise<ProcessReply> {
    const reply = await this.trySend(command)
    if (reply.ok !== true)
      throw new RuleViolation(`the client failed at ${JSON.stringify(command)}: ${JSON.stringify(reply)}`)
    return reply as ProcessReply
  }

  /** Sends a command that may fail and returns the answer. */
  async trySend(command: JsonObject): Promise<JsonObject> {
    if (this.#hasEnded) throw this.#gone(command)
    const waiting = Promise.withResolvers<JsonObject>()
    this.#waiting.push(waiting)
    this.#process.stdin?.write(`${JSON.stringify(command)}\n`)
    const timer = setTimeout(
      () => waiting.reject(new RuleViolation(`the client did not answer ${JSON.stringify(command)}`)),
      ANSWER_TIMEOUT_MS,
    )
    try {
      return await waiting.promise
    } catch (error) {
      throw error instanceof RuleViolation ? error : this.#gone(command)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Kills the client and waits until it has ended. */
  async kill(): Promise<void> {
    if (!this.#hasEnded && this.#process.pid !== undefined) process.kill(-this.#process.pid, 'SIGKILL')
    await this.#ended
  }

  #requests(line: string): void {
    const waiting = this.#waiting.shift()
    try {
      waiting?.resolve(JSON.parse(line) as JsonObject)
    } catch {
      waiting?.reject(new RuleViolation(`the answer of the client is not JSON: ${line.slice(0, 200)}`))
    }
  }

  #end(resolve: () => void): void {
    this.#hasEnded = true
    for (const waiting of this.#waiting.splice(0)) waiting.reject(new Error('gone'))
    resolve()
  }

  #gone(command: JsonObject): RuleViolation {
    return new RuleViolation(`the client ended before it answered ${JSON.stringify(command)}: ${this.#stderr}`)
  }
}
