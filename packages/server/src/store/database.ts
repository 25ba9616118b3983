import type { Clock, Random } from '@saldo/core'
import type { Announcements, SqlDriver } from './sql.ts'

/** Options for opening any database. */
export interface OpenOptions {
  clock: Clock
  random: Random
  /** A service has a SQLite file to itself; a command works beside a service. */
  as: 'service' | 'command'
  /** Called after each commit with the number of writes that shared it; on PostgreSQL, one. */
  onCommit?: (writes: number) => void
}

export interface OpenedDatabase {
  driver: SqlDriver
  /** The file, or the place of the database without the password, for messages. */
  name: string
  /** Present if several nodes can share the database. */
  announcements?: Announcements
  /** The level before and after opening; equal if nothing had to be migrated. */
  migrated: { from: number; to: number }
  /** Closes the connections and releases the lock. */
  close(): Promise<void>
}
