import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EpochMs, JsonObject, Random, RecordId, WritableKind } from '@saldo/core'
import { assertEqual } from '../check.ts'
import { ClientProcess } from './client-process.ts'
import { ScriptedService, TOKEN, USER } from './scripted-service.ts'

/** A client under test. */
export interface ClientTarget {
  /** Starts the client, in a shell. */
  command: string
  random: Random
  now: () => EpochMs
}

/** The process of the client under test. Checks share it until one kills it. */
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

/** A device of the client under test and the scripted service that it syncs with; each check gets new ones. */
export class Harness {
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
  async start(): Promise<void> {
    await this.service.start()
    await this.#open()
    await this.sync()
  }

  /** Kills the client and starts it again on the same folder. */
  async restart(): Promise<void> {
    await this.#client.kill()
    await this.#open()
  }

  async #open(): Promise<void> {
    await this.client.send({ do: 'open', url: this.service.url, token: TOKEN, user: USER, folder: this.#folder })
  }

  get client(): ClientProcess {
    return this.#client.process
  }

  newId(): RecordId {
    return this.#random.uuid()
  }

  async create(kind: WritableKind, content: JsonObject): Promise<RecordId> {
    return (await this.client.send({ do: 'create', kind, content })).id as RecordId
  }

  async update(kind: WritableKind, id: RecordId, content: JsonObject): Promise<void> {
    await this.client.send({ do: 'update', kind, id, content })
  }

  async delete(kind: WritableKind, id: RecordId): Promise<void> {
    await this.client.send({ do: 'delete', kind, id })
  }

  async sync(): Promise<void> {
    await this.client.send({ do: 'sync' })
  }

  /** Syncs until the outbox is empty; a client may need several rounds. */
  async syncAll(): Promise<void> {
    for (let round = 0; round < 5; round += 1) {
      await this.sync()
      if ((await this.counts()).pending === 0) return
    }
  }

  /** Returns the records that the client shows. */
  async records(kind: WritableKind = 'entries'): Promise<JsonObject[]> {
    return (await this.client.send({ do: 'records', kind })).records as JsonObject[]
  }

  /** Returns the numbers of unsent changes, rejected changes and conflicts. */
  async counts(): Promise<{ pending: number; rejected: number; overridden: number }> {
    const { pending, rejected, overridden } = await this.client.send({ do: 'status' })
    return { pending, rejected, overridden } as { pending: number; rejected: number; overridden: number }
  }

  /** Throws `RuleViolation` unless the outbox is empty and the client shows the entries of the service. */
  async assertInSync(): Promise<void> {
    assertEqual((await this.counts()).pending, 0, 'the number of unsent changes')
    const idAndNote = ({ id, note }: JsonObject) => `${id} ${note}`
    assertEqual(
      (await this.records()).map(idAndNote).toSorted(),
      this.service.records('entries').map(idAndNote).toSorted(),
      'the entries that the client shows',
    )
  }

  /** Closes the device; kills the client if it cannot close it. */
  async stop(): Promise<void> {
    this.service.fault = () => 'requestLost'
    await this.client.send({ do: 'close' }).catch(() => this.#client.kill())
    await this.service.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
