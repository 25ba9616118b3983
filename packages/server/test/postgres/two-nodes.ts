import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { newPostgres } from './database.ts'
import { execute } from './global-setup.ts'

/** The secret of all nodes of a database. */
export const authSecret = 'the same for all nodes '.repeat(2)

/** Two nodes on one new database. */
export async function twoNodes(): Promise<[here: TestService, there: TestService, databaseUrl: string]> {
  const databaseUrl = await newPostgres()
  const nodes = await Promise.all([1, 2].map(() => startTestService({ config: { databaseUrl, authSecret } })))
  onTestFinished(async () => {
    for (const node of nodes) await node.close()
  })
  const [here, there] = nodes as [TestService, TestService]
  return [here, there, databaseUrl]
}

/** Locks all rows of a table until `release`. */
export const lockRows = (url: string, table: string) => holdTransaction(url, `SELECT 1 FROM ${table} FOR UPDATE`)

/** Runs statements in a transaction that commits at `release`. */
export async function holdTransaction(url: string, statements: string) {
  const holder = new pg.Client(url)
  await holder.connect()
  await holder.query(`BEGIN; ${statements}`)
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
  return {
    waitFor: (count: number) => expect.poll(async () => (await execute(url, waiting)).rowCount).toBe(count),
    async release() {
      await holder.query('COMMIT')
      await holder.end()
    },
  }
}
