import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { UserNumber } from '@saldo/core'
import pg from 'pg'

/** A row of the sync log, past all of our code. */
export interface LogRow {
  version: number
  kind: string
  id: string
  tag: string
}

/** All that the log of a user has, in version order, and the counter. */
export interface Log {
  rows: LogRow[]
  version: number
}

/** Reads the log of a user. */
export type ReadLog = (user: UserNumber) => Promise<Log>

const ROWS = 'SELECT version, kind, record_id AS id, tag FROM sync_log WHERE user_id = $user ORDER BY version'
const COUNTER = 'SELECT version FROM counters WHERE user_id = $user'

/** Of the database file in a folder. */
export function logOfFile(folder: string): ReadLog {
  return async (user) => {
    const database = new DatabaseSync(join(folder, 'saldo.db'), { readOnly: true, timeout: 60_000 })
    try {
      const rows = database.prepare(ROWS).all({ user }) as unknown as LogRow[]
      return { rows, version: Number(database.prepare(COUNTER).get({ user })?.version ?? 0) }
    } finally {
      database.close()
    }
  }
}

/** Of a PostgreSQL database. */
export function logOfPostgres(url: string): ReadLog {
  return async (user) => {
    const client = new pg.Client(url)
    await client.connect()
    try {
      const { rows } = await client.query(ROWS.replace('$user', '$1'), [user])
      const counter = await client.query(COUNTER.replace('$user', '$1'), [user])
      return {
        rows: rows.map((row) => ({ ...row, version: Number(row.version) })),
        version: Number(counter.rows[0]?.version ?? 0),
      }
    } finally {
      await client.end()
    }
  }
}
