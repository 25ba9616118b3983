import type { Clock, Random } from '@saldo/core'
import type { Announcements, SqlDriver } from './sql.ts'

/** What a database is opened with, wherever it is. */
export interface OpenOptions {
  clock: Clock
  random: Random
  /** A service has a SQLite file to itself; a command works beside a service. */
  as: 'service' | 'command'
  /** Told of each commit, with how many writes shared it; on PostgreSQL, one. */
  onCommit?: (writes: number) => void
}

export interface OpenedDatabase {
  driver: SqlDriver
  /** How people call it: its file, or its place without the password. */
  name: string
  /** Where several nodes can share the database. */
  announcements?: Announcements
  /** The level before and after opening; equal where nothing had to be migrated. */
  migrated: { from: number; to: number }
  /** Ends the connection and gives up the lock. */
  close(): Promise<void>
}
