import { copyFileSync, existsSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { dexieStore } from '@saldo/client/dexie'
import { sqliteStore } from '@saldo/client/node'
import type { LocalStore, Owner } from '../../packages/client/src/store/store.ts'
import type { fakeBrowser } from '../../packages/client/test/dexie/old-databases.ts'

/** An IndexedDB in memory. */
export type Fake = ReturnType<typeof fakeBrowser>

/** The location of a user's store in a browser. */
export interface Drive {
  /** A store for a page. */
  open(): LocalStore
  /** The page is gone that had it. */
  close(store: LocalStore): Promise<void>
  /** The power failed. */
  lose(): Promise<void>
  /**
   * To be called before the last transaction is written. What it returns takes so many bytes of that away, once the
   * power is gone; false where there was nothing to take.
   */
  mark(): (bytes: number) => boolean
}

/** An SQLite file, which all pages share. */
export class SqliteDrive implements Drive {
  readonly #file: string
  readonly #owner: Owner
  #store: LocalStore | undefined

  constructor(file: string, owner: Owner) {
    this.#file = file
    this.#owner = owner
  }

  open(): LocalStore {
    this.#store ??= sqliteStore(this.#file)(this.#owner)
    return this.#store
  }

  async close(): Promise<void> {}

  /** Leaves the files as they are now: closing the store would write the log back into the database. */
  async lose(): Promise<void> {
    if (!this.#store) return
    // The transaction under way is still written; whoever wants it torn cuts the log.
    await this.#store.read(async () => {})
    const files = [this.#file, this.#log].filter((file) => existsSync(file))
    for (const file of files) copyFileSync(file, `${file}.lost`)
    await this.#store.close()
    this.#store = undefined
    rmSync(this.#log, { force: true })
    for (const file of files) renameSync(`${file}.lost`, file)
  }

  mark(): (bytes: number) => boolean {
    const before = this.#logSize()
    return (bytes) => {
      const size = this.#logSize()
      if (size <= before) return false
      truncateSync(this.#log, Math.max(before, size - 1 - bytes))
      return true
    }
  }

  get #log(): string {
    return `${this.#file}-wal`
  }

  #logSize(): number {
    return statSync(this.#log, { throwIfNoEntry: false })?.size ?? 0
  }
}

/** An IndexedDB, to which each page has a connection of its own. */
export class DexieDrive implements Drive {
  readonly #fake: Fake
  readonly #owner: Owner
  readonly #open = new Set<LocalStore>()

  constructor(fake: Fake, owner: Owner) {
    this.#fake = fake
    this.#owner = owner
  }

  open(): LocalStore {
    const store = dexieStore(this.#fake)(this.#owner)
    this.#open.add(store)
    return store
  }

  async close(store: LocalStore): Promise<void> {
    if (this.#open.delete(store)) await store.close()
  }

  async lose(): Promise<void> {
    await Promise.all([...this.#open].map((store) => this.close(store)))
  }

  mark(): () => boolean {
    return () => false
  }
}
