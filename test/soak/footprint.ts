import { existsSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { Client } from 'pg'

/** Size of the database. */
export interface Footprint {
  databaseMb: number
  /** Size of SQLite's write-ahead log. */
  walMb: number
  records: number
  logRows: number
  sessions: number
  /** Since when the work that waits longest has been due, in the service's milliseconds; null where nothing waits. */
  oldestDueMs: number | null
}

const counted = `SELECT (SELECT COUNT(*) FROM records) AS records, (SELECT COUNT(*) FROM sync_log) AS "logRows",
  (SELECT COUNT(*) FROM sessions) AS sessions, (SELECT MIN(due_ms) FROM jobs) AS "oldestDueMs"`

type Counts = Pick<Footprint, 'records' | 'logRows' | 'sessions' | 'oldestDueMs'>

/** Looks into a database from beside the service. */
export interface Onlooker {
  footprint(): Promise<Footprint>
  /** Returns the errors of the engine's integrity check. */
  faults(): Promise<string[]>
  close(): Promise<void>
}

export function onlookerOf(place: { file: string } | { url: string }): Promise<Onlooker> {
  return 'file' in place ? ofFile(place.file) : ofPostgres(place.url)
}

async function ofFile(file: string): Promise<Onlooker> {
  const database = new Database(file, { readonly: true })
  const megabytes = (path: string) => (existsSync(path) ? statSync(path).size / 1e6 : 0)
  return {
    footprint: async () => ({
      databaseMb: megabytes(file),
      walMb: megabytes(`${file}-wal`),
      ...(database.prepare(counted).get() as Counts),
    }),
    async faults() {
      const said = database.pragma('integrity_check') as { integrity_check: string }[]
      return said.map((line) => line.integrity_check).filter((line) => line !== 'ok')
    },
    close: async () => void database.close(),
  }
}

async function ofPostgres(url: string): Promise<Onlooker> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return {
    async footprint() {
      const size = await client.query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes')
      const { rows } = await client.query<Record<keyof Counts, string | null>>(counted)
      const [counts] = rows
      return {
        databaseMb: Number(size.rows[0]?.bytes) / 1e6,
        walMb: 0,
        records: Number(counts?.records),
        logRows: Number(counts?.logRows),
        sessions: Number(counts?.sessions),
        oldestDueMs: counts?.oldestDueMs == null ? null : Number(counts.oldestDueMs),
      }
    },
    faults: async () => [],
    close: () => client.end(),
  }
}
