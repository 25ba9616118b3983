import type { UserNumber } from '@saldo/core'
import type { SqlDriver } from '../sql.ts'
import { ALL_USERS, type RecordStore, type UserWriter } from '../store.ts'
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
    async versions(users) {
      const [ofAll] = await Promise.allSettled([readVersions(driver, users)])
      const byServer = ofAll.status === 'rejected' ? ((await driver.byServer?.(users)) ?? []) : []
      // Only then is it worth the time to find who is where.
      if (byServer.length < 2) return [ofAll]
      return Promise.allSettled(byServer.map((ofServer) => readVersions(driver, ofServer)))
    },
    async usersWithDueJobs(nowMs, limit, except, share = ALL_USERS) {
      const rows = await driver.all<{ user_id: UserNumber }>(
        `SELECT user_id FROM jobs
         WHERE due_ms <= $1 AND user_id % CAST($4 AS BIGINT) = $5
           AND NOT EXISTS (SELECT 1 FROM ${driver.dialect.eachOf('$3')} WHERE item = CAST(user_id AS TEXT))
         ORDER BY due_ms LIMIT $2`,
        [nowMs, limit, [...except].map(String), share.of, share.index],
      )
      return [...new Set(rows.map((row) => row.user_id))]
    },
  }
}

async function readVersions(driver: SqlDriver, users: readonly UserNumber[]): Promise<Map<UserNumber, number>> {
  const rows = await driver.all<{ user: UserNumber; version: number }>(
    `SELECT user_id AS "user", version FROM counters WHERE ${driver.dialect.isOneOf('user_id', '$1')}`,
    [users.map(String)],
  )
  const found = new Map(rows.map(({ user, version }) => [user, version]))
  return new Map(users.map((user) => [user, found.get(user) ?? 0]))
}

async function runBody<T>(writer: SqlUserWriter, body: (writer: UserWriter) => Promise<T>): Promise<T> {
  const result = await body(writer)
  await writer.flush()
  return result
}
