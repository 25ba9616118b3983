import { statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Random } from '@saldo/core'
import { StoreError } from '../store/errors.ts'
import { Listeners } from '../store/listeners.ts'
import { MemoryTables, type Write } from '../store/memory-tables.ts'
import type { LocalStore, Tables } from '../store/store.ts'
import { lockFile } from './file-lock.ts'
import { JournalFile } from './journal-file.ts'

/** The stores that this process has open, by `identityOf`. */
const opened = new Map<string, JournalStore>()

/**
 * A store in a file, for Node: a journal with a line for each transaction, on the disk before the transaction counts.
 * The whole is held in memory. One process has it at a time; where this process opens it again, the earlier opening
 * ends. Throws a `StoreError`: `inUse`, `damaged`, `full`.
 */
export function journalStore(file: string, random: Random): LocalStore {
  const path = resolve(file)
  const identity = identityOf(path)
  const lock = opened.get(identity)?.giveUp() ?? lockFile(`${path}.lock`)
  const unlock = () => {
    opened.delete(identity)
    lock.unlock()
  }
  try {
    const store = new JournalStore(path, random, { unlock })
    opened.set(identity, store)
    return store
  } catch (error) {
    unlock()
    throw error
  }
}

/** The same for each path that leads to a file, be it there or not. */
function identityOf(path: string): string {
  const { dev, ino } = statSync(dirname(path))
  return `${dev} ${ino} ${basename(path)}`
}

class JournalStore implements LocalStore {
  readonly #lock: { unlock(): void }
  readonly #tables: MemoryTables
  readonly #journal: JournalFile<Write[]>
  readonly #listeners = new Listeners()
  #ended: StoreError | undefined
  #gaveUp = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(file: string, random: Random, lock: { unlock(): void }) {
    this.#lock = lock
    this.#tables = new MemoryTables({ device: random.uuid(), seq: 0, point: null, knownVersion: 0, offsetMs: 0 })
    const there = JournalFile.open<Write[]>(file)
    for (const writes of there?.values ?? []) this.#tables.apply(writes)
    this.#journal = there?.journal ?? JournalFile.create(file, this.#tables.everything())
    this.#shorten()
  }

  async run<T>(body: (tables: Tables) => Promise<T>): Promise<T> {
    if (this.#ended) throw this.#ended
    const run = this.#last.then(() => this.#tables.transact(body, (writes) => this.#commit(writes)))
    this.#last = run.catch(() => undefined)
    const { value, wrote } = await run
    if (wrote) this.#listeners.call()
    return value
  }

  subscribe(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  async close(): Promise<void> {
    if (this.#ended) return
    this.#ended = new StoreError('closed')
    await this.#last
    if (this.#gaveUp) return
    this.#journal.close()
    this.#lock.unlock()
  }

  /** Ends at once, whatever runs, for a later opening, which gets the lock. */
  giveUp(): { unlock(): void } {
    this.#ended = new StoreError('inUse')
    this.#gaveUp = true
    this.#journal.close()
    return this.#lock
  }

  #commit(writes: readonly Write[]): void {
    if (this.#gaveUp) throw new StoreError('inUse')
    this.#journal.append([...writes])
    this.#shorten()
  }

  #shorten(): void {
    if (!this.#journal.isLong) return
    try {
      this.#journal.replace(this.#tables.everything())
    } catch (error) {
      // What is kept is kept in the longer file, and there is no room for two.
      if (!(error instanceof StoreError)) throw error
    }
  }
}
