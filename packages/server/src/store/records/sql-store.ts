import type { UserNumber } from '@saldo/core'
import type { SqlDriver } from '../sql.ts'
import type { RecordStore, UserWriter } from '../store.ts'
import { recordAccessCheck } from '../users/acting.ts'
import { findCounter, readCounter, SqlUserReader } from './reader.ts'
import { SqlUserWriter } from './writer.ts'

/** The record store over any SQL engine. `newTag` makes the random tag of a write's log rows. */
export function sqlRecordStore(driver: SqlDriver, newTag: () => string, now: () => number): RecordStore {
  return {
    read: (user, body) =>
      driver.read(async (sql) => body(new SqlUserReader(sql, user, await readCounter(sql, user))), user),
    write(user, body) {
      const checkAccess = recordAccessCheck()
      return driver.write(async (sql) => {
        const counter = await readCounter(sql, user, sql.dialect.locking('FOR UPDATE'))
        await checkAccess?.(sql)
        return runBody(new SqlUserWriter(sql, user, counter, newTag(), now()), body)
      }, user)
    },
    writeIfFree: (user, body) =>
      driver.write(async (sql) => {
        const counter = await findCounter(sql, user, sql.dialect.locking('FOR UPDATE SKIP LOCKED'))
        if (!counter) return { outcome: 'busy' as const }
        const result = await runBody(new SqlUserWriter(sql, user, counter, newTag(), now()), body)
        return { outcome: 'written' as const, result }
      }, user),
    async usersWithDueJobs(nowMs, limit, except) {
      const rows = await driver.read((sql) =>
        sql.all<{ user_id: UserNumber }>(
          `SELECT user_id FROM jobs
           WHERE due_ms <= $1
             AND NOT EXISTS (SELECT 1 FROM ${sql.dialect.eachOf('$3')} WHERE item = CAST(user_id AS TEXT))
           ORDER BY due_ms LIMIT $2`,
          [nowMs, limit, [...except].map(String)],
        ),
      )
      return [...new Set(rows.map((row) => row.user_id))]
    },
  }
}

async function runBody<T>(writer: SqlUserWriter, body: (writer: UserWriter) => Promise<T>): Promise<T> {
  const result = await body(writer)
  await writer.flush()
  return result
}
