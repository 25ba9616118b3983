import { statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { StoreError } from '../errors.ts'
import { Listeners } from '../listeners.ts'
import { MemoryTables, type Write } from '../memory-tables.ts'
import {
  type Changed,
  type LocalStore,
  newMeta,
  type OpenStore,
  type Owner,
  type ReadTables,
  type Tables,
} from '../store.ts'
import { type FileLock, lockFile } from './file-lock.ts'
import { JournalFile } from './journal-file.ts'

/** What a transaction wrote, and whose journal it is in. */
interface Line {
  user: number
  writes: readonly Write[]
}

/** The stores that this process has open, by `identityOf`. */
const opened = new Map<string, JournalStore>()

/**
 * A store in a file, for Node: a journal with a line for each transaction, on the disk before the transaction counts.
 * The whole is held in memory. One process has it at a time; where this process opens it again, the earlier opening
 * ends. Opening throws a `StoreError`: `inUse`, `foreign`, `damaged`, `full`.
 */
export function journalStore(file: string): OpenStore {
  const path = resolve(file)
  return (owner) => {
    const identity = identityOf(path)
    const earlier = opened.get(identity)
    const lock = earlier?.lock ?? lockFile(`${path}.lock`)
    try {
      const store = new JournalStore(path, owner, lock, () => opened.delete(identity))
      earlier?.giveUp()
      opened.set(identity, store)
      return store
    } catch (error) {
      if (!earlier) lock.unlock()
      throw error
    }
  }
}

/** The same for each path that leads to a file, be it there or not. */
function identityOf(path: string): string {
  const { dev, ino } = statSync(dirname(path))
  return `${dev} ${ino} ${basename(path)}`
}

class JournalStore implements LocalStore {
  readonly lock: FileLock
  readonly #user: number
  readonly #onEnd: () => void
  readonly #tables: MemoryTables
  readonly #journal: JournalFile<Line>
  readonly #listeners = new Listeners<[ReadonlySet<Changed>]>()
  #ended: StoreError | undefined
  /** Why nothing could be written of late. */
  #full: StoreError | undefined
  #gaveUp = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(file: string, { user, random }: Owner, lock: FileLock, onEnd: () => void) {
    this.lock = lock
    this.#user = user
    this.#onEnd = onEnd
    this.#tables = new MemoryTables(newMeta(random))
    const there = JournalFile.open<Line>(file)
    if (there?.values.some((line) => line.user !== user)) {
      there.journal.close()
      throw new StoreError('foreign')
    }
    for (const { writes } of there?.values ?? []) this.#tables.apply(writes)
    this.#journal = there?.journal ?? JournalFile.create(file, this.#everything())
    this.#shorten()
  }

  async run<T>(body: (tables: Tables) => Promise<T>): Promise<T> {
    const { value, changed } = await this.#next(() =>
      this.#tables.transact(body, (writes) => this.#commit({ user: this.#user, writes })),
    ).catch((error: unknown) => {
      if (error instanceof StoreError && error.trouble === 'full') this.#becomeFull(error)
      throw error
    })
    if (changed.size > 0) {
      this.#becomeFull(undefined)
      this.#listeners.call(changed)
    }
    return value
  }

  async read<T>(body: (tables: ReadTables) => Promise<T>): Promise<T> {
    return this.#next(() => this.#tables.read(body))
  }

  subscribe(listener: (changed: ReadonlySet<Changed>) => void): () => void {
    return this.#listeners.add(listener)
  }

  trouble(): StoreError | undefined {
    return this.#ended ?? this.#full
  }

  async close(): Promise<void> {
    if (this.#ended) return
    await this.#end()
    if (this.#gaveUp) return
    this.#journal.close()
    this.lock.unlock()
    this.#onEnd()
  }

  async erase(): Promise<void> {
    if (this.#ended) throw this.#ended
    await this.#end()
    if (this.#gaveUp) throw new StoreError('inUse')
    try {
      this.#journal.remove()
      this.lock.remove()
    } finally {
      this.lock.unlock()
      this.#onEnd()
    }
  }

  /** Ends at once, whatever runs, for a later opening, which has the lock from now on. */
  giveUp(): void {
    this.#gaveUp = true
    this.#journal.close()
    if (this.#ended) return
    this.#ended = new StoreError('inUse')
    this.#listeners.call(new Set())
  }

  #becomeFull(full: StoreError | undefined): void {
    if (full?.trouble === this.#full?.trouble) return
    this.#full = full
    this.#listeners.call(new Set())
  }

  /** Does something once everything before it is done. */
  #next<T>(work: () => Promise<T>): Promise<T> {
    if (this.#ended) throw this.#ended
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }

  async #end(): Promise<void> {
    this.#ended = new StoreError('closed')
    await this.#last
  }

  #everything(): Line {
    return { user: this.#user, writes: this.#tables.everything() }
  }

  #commit(line: Line): void {
    if (this.#gaveUp) throw new StoreError('inUse')
    this.#journal.append(line)
    this.#shorten()
  }

  #shorten(): void {
    if (!this.#journal.isLong) return
    try {
      this.#journal.replace(this.#everything())
    } catch (error) {
      // What is kept is kept in the longer file, and there is no room for two.
      if (!(error instanceof StoreError)) throw error
    }
  }
}
