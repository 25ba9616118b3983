import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openStores } from '../../server/src/store/stores.ts'
import { systemClock, systemRandom } from '../../server/src/system.ts'
import { addAccount, caller, EMAIL, PASSWORD, work } from '../../server/test/faults/full-time.ts'
import { runSaldo, saldo, temporaryDir, whenServing } from '../../server/test/faults/program.ts'
import { heavyTest } from '../../server/test/heavy-test.ts'
import { PostgresCluster } from '../../server/test/postgres/cluster.ts'
import { newPostgres } from '../../server/test/postgres/database.ts'
import { execute } from '../../server/test/postgres/global-setup.ts'
import { contentsOfFile } from '../../server/test/store/raw-database.ts'
import { hourOf, tombstone, uuidOf } from '../../server/test/store/samples.ts'

const moving = (from: string, to: string) => ['admin', 'copy-database', '--from', from, '--to', to]
const move = (from: string, to: string) => runSaldo(moving(from, to))

heavyTest('[D4.18] copy-database moves an account to PostgreSQL, where two nodes serve it, and back', async () => {
  const dir = temporaryDir()
  const token = await addAccount(dir)
  const url = await newPostgres()
  const env = { SALDO_DATABASE_URL: url, SALDO_AUTH_SECRET: 'the same for all nodes '.repeat(2) }
  const file = join(dir, 'saldo.db')
  const done = { code: 0, signal: null, stderr: '' }

  const copied = await move(file, url)
  expect(copied).toMatchObject({ ...done, stdout: expect.stringMatching(/^Copied 1 users with 0 records\.\n/) })
  expect(copied.stdout).toContain('set SALDO_DATABASE_URL to the new database')
  expect(await move(file, url)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('was moved to PostgreSQL on'),
  })
  const another = join(temporaryDir(), 'saldo.db')
  await addAccount(dirname(another))
  expect(await move(another, url)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the target database is not empty'),
  })
  expect((await runSaldo(['admin', 'user', 'list'], { env })).stdout).toContain(EMAIL)

  const start = () => whenServing(saldo(['serve'], { env: { ...env, SALDO_PORT: '0' } }))
  const nodes = [await start(), await start()]
  const [here, there] = nodes.map((node) => caller(node.url, token))
  for (const call of [here, there, here])
    expect((await call?.('POST', '/api/entries', work('2026-02-02')))?.status).toBe(201)
  expect((await there?.('GET', '/api/sync/pull?since=0'))?.body).toMatchObject({ version: 3 })
  // A session of one node is one of the other.
  const signedIn = await fetch(`${nodes[0]?.url}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  expect((await fetch(`${nodes[1]?.url}/api/me`, { headers: { cookie } })).status).toBe(200)
  for (const { program } of nodes) expect(await program.kill('SIGTERM')).toEqual({ code: 0, signal: null })

  const back = temporaryDir()
  expect(await move(url, join(back, 'saldo.db'))).toMatchObject({
    ...done,
    stdout: expect.stringMatching(/^Copied 1 users with 3 records\.\nNext: set SALDO_DATA_DIR/),
  })
  const node = await whenServing(saldo(['serve'], { env: { SALDO_DATA_DIR: back, SALDO_PORT: '0' } }))
  expect((await caller(node.url, token)('GET', '/api/sync/pull?since=0')).body).toMatchObject({ version: 3 })
})

test('[D4.19] copy-database copies neither from a PostgreSQL database that nodes serve nor into it', async () => {
  const dir = temporaryDir()
  await addAccount(dir)
  const [file, url] = [join(dir, 'saldo.db'), await newPostgres()]
  const env = { SALDO_DATABASE_URL: url, SALDO_AUTH_SECRET: 'the same for all nodes '.repeat(2), SALDO_PORT: '0' }
  const { program } = await whenServing(saldo(['serve'], { env }))
  const listening = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query ~ '^LISTEN'`
  await expect.poll(async () => (await execute(url, listening)).rowCount).toBe(1)
  for (const [from, to] of [
    [file, url],
    [url, join(temporaryDir(), 'saldo.db')],
  ] as const) {
    const { code, stderr } = await move(from, to)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^saldo: .* is in use by a running service: stop it first\n$/),
    ])
  }
  expect((await execute(url, 'SELECT 1 FROM users')).rowCount).toBe(0)
  await program.kill('SIGTERM')
  expect(await move(file, url)).toMatchObject({ code: 0 })
})

test('a database is not copied to itself', async () => {
  const url = await newPostgres()
  const both = { code: 2, stdout: '', stderr: 'saldo: --from and --to are the same database\n' }
  expect(await move(url, url)).toMatchObject(both)
})

heavyTest('a node whose database no longer answers stops on a signal', async () => {
  const cluster = await PostgresCluster.start()
  onTestFinished(() => cluster.remove())
  const env = {
    SALDO_DATABASE_URL: cluster.url('postgres'),
    SALDO_AUTH_SECRET: 'the same for all nodes '.repeat(2),
    SALDO_PORT: '0',
  }
  const { program } = await whenServing(saldo(['serve'], { env }))
  const listening = `SELECT 1 FROM pg_stat_activity WHERE query ~ '^LISTEN' AND state = 'idle'`
  await expect.poll(async () => (await execute(env.SALDO_DATABASE_URL, listening)).rowCount).toBe(1)
  const { pid = 0 } = cluster
  process.kill(pid, 'SIGSTOP')
  onTestFinished(() => void process.kill(pid, 'SIGCONT'))
  // None of them comes or goes any more.
  for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)) {
    process.kill(child, 'SIGSTOP')
    onTestFinished(() => void process.kill(child, 'SIGCONT'))
  }
  expect(await program.kill('SIGTERM')).toEqual({ code: 0, signal: null })
})

test('[D8.24] the log does not contain the values of a row that PostgreSQL refused', async () => {
  const url = await newPostgres()
  await execute(url, `ALTER TABLE users ADD CONSTRAINT polite CHECK (email NOT LIKE 'refused%')`)
  const env = { SALDO_DATABASE_URL: url, SALDO_AUTH_SECRET: 'the same for all nodes '.repeat(2), SALDO_PORT: '0' }
  const { program, url: address, setupCode } = await whenServing(saldo(['serve'], { env }))
  const newcomer = { email: 'refused@example.com', name: 'Grace', password: PASSWORD, setup_code: setupCode }
  expect((await caller(address)('POST', '/api/auth/sign-up', newcomer)).status).toBe(500)
  await program.wrote('stderr', /"request failed"\}\n/)
  const lines = program.stderr.split('\n').filter((text) => text !== '')
  const line = lines.map((text) => JSON.parse(text)).find(({ err }) => err)
  expect(line.err).toMatchObject({ message: expect.stringContaining('check constraint "polite"'), code: '23514' })
  expect(program.stderr).not.toContain('refused@')
})

heavyTest('[D4.18] a killed copy leaves the target empty, and the same command succeeds afterwards', async () => {
  const dir = temporaryDir()
  await addAccount(dir)
  const [file, url, back] = [join(dir, 'saldo.db'), await newPostgres(), join(temporaryDir(), 'saldo.db')]
  const stores = await openStores({ file, clock: systemClock, random: systemRandom, as: 'service' })
  const [user] = await stores.users.list()
  if (!user) throw new Error('no user')
  await stores.records.write(user.id, async (writer) => {
    await writer.put(Array.from({ length: 5_000 }, (_, number) => hourOf(number, uuidOf(number))))
    await writer.put(Array.from({ length: 100 }, (_, number) => tombstone('entries', String(number))))
  })
  await stores.close()

  const holder = new pg.Client(url)
  await holder.connect()
  await holder.query('BEGIN; LOCK TABLE sync_log IN SHARE MODE')
  const program = saldo(moving(file, url))
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await expect.poll(async () => (await execute(url, waiting)).rowCount).toBe(1)
  expect(await program.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
  await holder.end()
  expect((await execute(url, 'SELECT 1 FROM users')).rowCount).toBe(0)
  for (const [from, to] of [
    [file, url],
    [url, back],
  ] as const) {
    expect(await move(from, to)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Copied 1 users with 5100 records\.\n/),
    })
  }
  // The source has the mark that it was moved.
  const tablesOf = (path: string) => {
    const { service_state: state = [], ...tables } = contentsOfFile(path).tables as Record<string, unknown[]>
    return { ...tables, state: state.filter((row) => !JSON.stringify(row).includes('"moved"')) }
  }
  expect(tablesOf(back)).toEqual(tablesOf(file))
})

heavyTest('[D1.25] the conformance kit passes against a service on PostgreSQL with default settings', async () => {
  const dir = temporaryDir()
  const token = await addAccount(dir)
  const url = await newPostgres()
  expect(await move(join(dir, 'saldo.db'), url)).toMatchObject({ code: 0 })
  const env = { SALDO_DATABASE_URL: url, SALDO_AUTH_SECRET: 'the same for all nodes '.repeat(2), SALDO_PORT: '0' }
  const node = await whenServing(saldo(['serve'], { env }))
  const { code, stdout } = await runSaldo(['conformance', node.url, '--token', token])
  expect(stdout).toMatch(/\n\d+ passed, 0 failed, \d+ not applicable\n$/)
  expect(stdout).not.toContain('not removed')
  expect(code).toBe(0)
})
