import { statSync, truncateSync } from 'node:fs'
import type { LocalStore } from '@saldo/client'
import { dexieStore } from '@saldo/client/dexie'
import { journalStore } from '@saldo/client/node'
import type { Owner } from '../../packages/client/src/store/store.ts'
import type { fakeBrowser } from '../../packages/client/test/dexie/old-databases.ts'

/** An IndexedDB in memory. */
export type Fake = ReturnType<typeof fakeBrowser>

/** Where the store of a user in a browser lies. */
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

/** A journal, which all pages share. */
export class JournalDrive implements Drive {
  readonly #file: string
  readonly #owner: Owner
  #store: LocalStore | undefined

  constructor(file: string, owner: Owner) {
    this.#file = file
    this.#owner = owner
  }

  open(): LocalStore {
    this.#store ??= journalStore(this.#file)(this.#owner)
    return this.#store
  }

  async close(): Promise<void> {}

  async lose(): Promise<void> {
    await this.#store?.close()
    this.#store = undefined
  }

  mark(): (bytes: number) => boolean {
    const before = statSync(this.#file).size
    return (bytes) => {
      const { size } = statSync(this.#file)
      if (size <= before) return false
      truncateSync(this.#file, Math.max(before, size - 1 - bytes))
      return true
    }
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
