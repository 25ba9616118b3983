import pg from 'pg'
import { inject } from 'vitest'
import { newDistributed } from './distributed.ts'
import { databaseUrl } from './global-setup.ts'

/** The one connection that makes databases: opening another takes as long as copying the template. */
let pool: pg.Pool | undefined

/** The URL of a new, migrated database where the tests run on PostgreSQL; `undefined` where they run on SQLite. */
export async function newDatabase(): Promise<string | undefined> {
  const server = inject('postgres')
  return server && make(`${server.prefix}template`)
}

/** Returns the name of a database on its server. */
export function databaseName(url: string): string {
  return new URL(url).pathname.slice(1)
}

/** The same where the tests run on PostgreSQL only. */
export function newPostgres(): Promise<string> {
  return make(`${serverOf().prefix}template`)
}

/** Copies a database that nobody uses meanwhile. Returns the copy. */
export function copyOf(url: string): Promise<string> {
  return make(databaseName(url))
}

/** Puts a copy in the place of a database that nobody uses meanwhile. */
export async function putBack(copy: string, url: string): Promise<void> {
  const name = databaseName(url)
  await runStatement(`DROP DATABASE ${name}`)
  await create(name, databaseName(copy))
}

async function make(template: string): Promise<string> {
  const distributed = inject('distributed')
  // Citus does not let a database be a copy of another.
  if (distributed) return newDistributed(distributed)
  const { url, prefix } = serverOf()
  const name = prefix + crypto.randomUUID().replaceAll('-', '')
  await create(name, template)
  return databaseUrl(url, name)
}

async function create(name: string, template: string): Promise<void> {
  await runStatement(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
}

async function runStatement(text: string): Promise<void> {
  pool ??= new pg.Pool({ connectionString: serverOf().url, max: 1, allowExitOnIdle: true })
  await pool.query(text)
}

function serverOf(): { url: string; prefix: string } {
  const server = inject('postgres')
  if (!server) throw new Error('this test belongs to the project that runs on PostgreSQL')
  return server
}
