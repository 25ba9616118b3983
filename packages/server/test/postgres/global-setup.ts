import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openPostgres } from '../../src/store/postgres/open.ts'
import { systemClock, systemRandom } from '../../src/system.ts'
import { PostgresCluster } from './cluster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the tests make their databases; missing where they run on SQLite. */
    postgres: { url: string; prefix: string } | undefined
  }
}

/** One PostgreSQL for all test files, with a migrated database that theirs are copies of. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.SALDO_TEST_DATABASE_URL
  const cluster = given ? undefined : await PostgresCluster.start()
  const url = given ?? (cluster as PostgresCluster).url('postgres')
  const prefix = `saldo_test_${systemRandom.uuid().slice(0, 8)}_`
  await execute(url, `CREATE DATABASE ${prefix}template`)
  const template = { url: databaseUrl(url, `${prefix}template`), clock: systemClock, random: systemRandom }
  await (await openPostgres(template)).close()
  project.provide('postgres', { url, prefix })
  return async () => {
    if (cluster) return cluster.remove()
    const { rows } = await execute(url, `SELECT datname FROM pg_database WHERE starts_with(datname, '${prefix}')`)
    for (const { datname } of rows) await execute(url, `DROP DATABASE ${datname} WITH (FORCE)`)
  }
}

/** The URL of another database of the same server. */
export function databaseUrl(url: string, name: string): string {
  return url.replace(/^(\w+:\/\/[^/]*\/)[^?]*/, `$1${name}`)
}

/** Runs a statement beside all of our code. */
export async function execute(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}
