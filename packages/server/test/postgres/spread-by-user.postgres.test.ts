import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OpenError } from '../../src/errors.ts'
import { layout } from '../../src/store/layout.ts'
import { distributeDatabase } from '../../src/store/postgres/distribute.ts'
import { newPostgres } from './database.ts'
import { execute } from './global-setup.ts'

const store = join(import.meta.dirname, '../../src/store')

/** The statements of the service on the tables that are spread by user, migrations aside. */
function statements(): string[] {
  return globSync('**/*.ts', { cwd: store, exclude: ['migrations/**'] }).flatMap((file) => {
    const code = readFileSync(join(store, file), 'utf8')
    const literals = [...code.matchAll(/'[^'\n]*'|`[^`]*`/g)].map(([text]) => text.slice(1, -1))
    const joins = [...code.matchAll(/joinEach\(\s*'(\w+)',\s*'([^']*)'/g)].map(
      ([, table, on]) => `JOIN ${table} ON ${on}`,
    )
    return [...literals, ...joins].filter((text) => mentions(text) > 0)
  })
}

const mentions = (text: string) => count(text, /(\b(FROM|INTO|UPDATE|JOIN) |^(?=\w+ \())(records|sync_log|counters)\b/g)
const namings = (text: string) =>
  count(text, /\buser_id = (\$\d|\w\.user_id)|\b(records|sync_log|counters) \(user_id, /g)

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length
}

test('[D8.2] every statement on records, log and counters names one user', () => {
  // The versions of many users at once, whom the database groups by their servers.
  const ofMany = 'FROM counters WHERE ${driver.dialect.isOneOf('
  const found = statements().filter((text) => !text.includes(ofMany))
  expect(found.length).toBeGreaterThan(20)
  expect(found.filter((text) => namings(text) < mentions(text))).toEqual([])
  // A user is a parameter: nobody else’s number comes from a row.
  expect(found.filter((text) => /\buser_id (IN|<|>|BETWEEN)|\bOR\b.*user_id/.test(text))).toEqual([])
})

test('[D8.2] every key and index begins with the user, except that of the job queue', async () => {
  const { rows } = await execute(
    await newPostgres(),
    `SELECT i.indexrelid::regclass::text AS index, a.attname AS first
     FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
     WHERE i.indrelid IN ('records'::regclass, 'sync_log'::regclass, 'counters'::regclass, 'jobs'::regclass)
     ORDER BY index`,
  )
  expect(rows.map(({ index }) => index)).toEqual([
    'counters_pkey',
    'jobs_by_time',
    'jobs_pkey',
    'records_by_time',
    'records_long',
    'records_pkey',
    'records_requests',
    'sync_log_marker',
    'sync_log_pkey',
  ])
  expect(rows.filter(({ first }) => first !== 'user_id')).toEqual([{ index: 'jobs_by_time', first: 'due_ms' }])
})

test('[D8.2] no table that is spread by user has a foreign key or a sequence', async () => {
  const { rows } = await execute(
    await newPostgres(),
    `SELECT conname AS name FROM pg_constraint
     WHERE contype = 'f' AND conrelid IN ('records'::regclass, 'sync_log'::regclass, 'counters'::regclass, 'jobs'::regclass)
     UNION ALL
     SELECT attname FROM pg_attribute
     WHERE attrelid IN ('records'::regclass, 'sync_log'::regclass, 'counters'::regclass, 'jobs'::regclass)
       AND (attidentity <> '' OR atthasdef)`,
  )
  expect(rows).toEqual([])
})

test('every table has its place in a distributed database', async () => {
  const { rows } = await execute(
    await newPostgres(),
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
  )
  const { distributed, local, plain } = layout
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...distributed, ...local, ...plain].toSorted())
})

test('a database without Citus is not distributed, and the reason is one line', async () => {
  const url = await newPostgres()
  const refused = distributeDatabase(url, 8)
  await expect(refused).rejects.toThrow(OpenError)
  await expect(refused).rejects.toThrow(/^the database \w+ on \S+ does not have the extension Citus, [^\n]+$/)
})
