import { statfs } from 'node:fs/promises'
import { type Clock, type Instant, instantOf } from '@saldo/core'
import { UnavailableError } from '../errors.ts'
import type { StoredServiceState } from './service-state.ts'
import type { SqlDriver } from './sql.ts'

/** The state of the storage, for operators. Sizes are in bytes. */
export interface StorageFacts {
  sizeBytes: number
  /** Free space on the disk of a SQLite file; null where the database is on another computer. */
  freeBytes: number | null
  lastBackup: Instant | null
  /** Jobs that are due. */
  jobsDue: number
}

/** The name of the value that `isWritable` writes. */
const PROBE = 'writable'
const PROBE_BYTES = 65_536

interface StorageOptions {
  driver: SqlDriver
  state: StoredServiceState
  clock: Clock
  /** The folder of a SQLite file; `undefined` for PostgreSQL. */
  folder: string | undefined
}

/** Where the database is stored: its size, and if it can be written. */
export class Storage {
  readonly #options: StorageOptions
  #wasFull = false

  constructor(options: StorageOptions) {
    this.#options = options
  }

  /** Notes a failure: after a write for which there was no space, `isWritable` tries one. */
  noteFailure(error: unknown): void {
    if (error instanceof UnavailableError && error.reason === 'storage_full') this.#wasFull = true
  }

  /** True unless writes fail for want of space. It writes only after such a failure. */
  async isWritable(): Promise<boolean> {
    if (!this.#wasFull) return true
    const { state, clock } = this.#options
    try {
      // A small write can still fit where the write-ahead log has room.
      await state.set(PROBE, 'x'.repeat(PROBE_BYTES))
      await state.set(PROBE, instantOf(clock.now()))
      this.#wasFull = false
      return true
    } catch (error) {
      if (error instanceof UnavailableError && error.reason === 'storage_full') return false
      throw error
    }
  }

  async facts(): Promise<StorageFacts> {
    const { driver, state, clock, folder } = this.#options
    const { sizeBytes, jobsDue } = await driver.read(async (sql) => {
      const [size] = await sql.all<{ bytes: number | string }>(sql.dialect.size, [])
      const [jobs] = await sql.all<{ n: number | string }>('SELECT count(*) AS n FROM jobs WHERE due_ms <= $1', [
        clock.now(),
      ])
      return { sizeBytes: Number(size?.bytes ?? 0), jobsDue: Number(jobs?.n ?? 0) }
    })
    const disk = folder === undefined ? undefined : await statfs(folder)
    return {
      sizeBytes,
      freeBytes: disk ? disk.bavail * disk.bsize : null,
      lastBackup: await state.lastBackup(),
      jobsDue,
    }
  }
}
