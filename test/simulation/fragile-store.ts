import { statSync, truncateSync } from 'node:fs'
import type { LocalStore, Tables } from '@saldo/client'
import { journalStore } from '@saldo/client/node'
import type { Random } from '@saldo/core'

/** Looks at the tables before a transaction; what it returns, after it. */
export type Watch = (tables: Tables) => Promise<(tables: Tables) => Promise<void>>

class DeadError extends Error {}

const never = new Promise<never>(() => {})

/** A journal whose process can be killed: between any two transactions, or while one is written. */
export class FragileStore implements LocalStore {
  readonly #file: string
  readonly #inner: LocalStore
  readonly #watch: Watch
  #left = Number.POSITIVE_INFINITY
  #sizeBefore = 0
  #onDeath = () => {}
  #isDead = false

  constructor(file: string, random: Random, watch: Watch) {
    this.#file = file
    this.#inner = journalStore(file, random)
    this.#watch = watch
  }

  /** Has the process die when so many more transactions were written, before it hears of the last of them. */
  dieAfter(left: number, onDeath: () => void): void {
    this.#left = left
    this.#onDeath = onDeath
  }

  /** Whether it is dead, or will be. */
  get isDoomed(): boolean {
    return this.#isDead || this.#left < Number.POSITIVE_INFINITY
  }

  async die(): Promise<void> {
    this.#isDead = true
    await this.#inner.close()
  }

  /** Has only a part of the last transaction be on the disk, where the process did not hear that it was written. */
  tear(bytes: number): void {
    const { size } = statSync(this.#file)
    if (this.#left > 0 || size <= this.#sizeBefore) return
    truncateSync(this.#file, Math.max(this.#sizeBefore, size - 1 - bytes))
  }

  async run<T>(body: (tables: Tables) => Promise<T>): Promise<T> {
    if (this.#isDead) return never
    try {
      const value = await this.#inner.run((tables) => this.#watched(tables, body))
      if (!this.#isDead) return value
    } catch (error) {
      if (!(error instanceof DeadError)) throw error
    }
    if (this.#left === 0) this.#onDeath()
    return never
  }

  async #watched<T>(tables: Tables, body: (tables: Tables) => Promise<T>): Promise<T> {
    if (this.#isDead) throw new DeadError()
    const look = await this.#watch(tables)
    const value = await body(tables)
    await look(tables)
    this.#left -= 1
    if (this.#left === 0) {
      this.#isDead = true
      this.#sizeBefore = statSync(this.#file).size
    }
    return value
  }

  /** Reads past the watch, and whatever was to happen. */
  peek<T>(body: (tables: Tables) => Promise<T>): Promise<T> {
    return this.#inner.run(body)
  }

  subscribe(listener: () => void): () => void {
    return this.#inner.subscribe(listener)
  }

  close(): Promise<void> {
    return this.#inner.close()
  }
}
