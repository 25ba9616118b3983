import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject, Random, WritableKind } from '@saldo/core'
import { ClientProcess } from './client-process.ts'
import { ScriptedService, TOKEN, USER } from './scripted-service.ts'

/** A client under test. */
export interface ClientTarget {
  /** Starts it, in a shell. */
  command: string
  random: Random
  now: () => number
}

/** The client under test: one process for all checks, but where one needs a new one. */
export class ClientUnderTest {
  readonly #command: string
  #process: ClientProcess | undefined

  constructor(command: string) {
    this.#command = command
  }

  get process(): ClientProcess {
    this.#process ??= new ClientProcess(this.#command)
    return this.#process
  }

  async kill(): Promise<void> {
    await this.#process?.kill()
    this.#process = undefined
  }
}

/** A device of the client under test, and the service that it talks to; new for each check. */
export class Bench {
  readonly service: ScriptedService
  readonly #random: Random
  readonly #client: ClientUnderTest
  readonly #folder = mkdtempSync(join(tmpdir(), 'saldo-conformance-'))

  constructor({ random, now }: Pick<ClientTarget, 'random' | 'now'>, client: ClientUnderTest) {
    this.#random = random
    this.#client = client
    this.service = new ScriptedService(random, now)
  }

  /** Starts the service and opens a device that has synced once. */
  async begin(): Promise<void> {
    await this.service.start()
    await this.#open()
    await this.sync()
  }

  /** Ends the client at once, wherever it is, and starts it again on the same folder. */
  async restart(): Promise<void> {
    await this.#client.kill()
    await this.#open()
  }

  async #open(): Promise<void> {
    await this.client.does({ do: 'open', url: this.service.url, token: TOKEN, user: USER, folder: this.#folder })
  }

  get client(): ClientProcess {
    return this.#client.process
  }

  id(): string {
    return this.#random.uuid()
  }

  async create(kind: WritableKind, content: JsonObject): Promise<string> {
    return String((await this.client.does({ do: 'create', kind, content })).id)
  }

  async update(kind: WritableKind, id: string, content: JsonObject): Promise<void> {
    await this.client.does({ do: 'update', kind, id, content })
  }

  async delete(kind: WritableKind, id: string): Promise<void> {
    await this.client.does({ do: 'delete', kind, id })
  }

  async sync(): Promise<void> {
    await this.client.does({ do: 'sync' })
  }

  /** Syncs until nothing waits any more; a client may need some rounds for it. */
  async syncAll(): Promise<void> {
    for (let left = 5; left > 0; left -= 1) {
      await this.sync()
      if ((await this.counts()).pending === 0) return
    }
  }

  /** The records that the client shows. */
  async records(kind: WritableKind = 'entries'): Promise<JsonObject[]> {
    return (await this.client.does({ do: 'records', kind })).records as JsonObject[]
  }

  /** Numbers of records with unsent changes, with rejected changes, and with conflicts. */
  async counts(): Promise<{ pending: number; rejected: number; overridden: number }> {
    const { pending, rejected, overridden } = await this.client.does({ do: 'status' })
    return { pending, rejected, overridden } as { pending: number; rejected: number; overridden: number }
  }

  /** Closes the device; a client that cannot do that is killed. */
  async end(): Promise<void> {
    this.service.fault = () => 'lost'
    await this.client.does({ do: 'close' }).catch(() => this.#client.kill())
    await this.service.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
