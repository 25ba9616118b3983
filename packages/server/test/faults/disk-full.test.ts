import { copyFileSync, cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { heavyTest } from '../heavy-test.ts'
import { type Answer, addAccount, type Call, caller, EMAIL, fullTime, PASSWORD, pullAll, work } from './full-time.ts'
import { root, runSaldo, serve, temporaryDir } from './program.ts'
import { smallDisk } from './small-disk.ts'

const OLD = '2024-01-01T00:00:00.000Z'

let days = 0
/** Returns another date at each call: a day has a limit of entries. */
function nextDate(): string {
  days += 1
  return new Date(Date.UTC(1950, 0, days)).toISOString().slice(0, 10)
}

function pushOf(count: number): { changes: object[] } {
  const date = nextDate()
  const changes = Array.from({ length: count }, () => {
    const record = { id: crypto.randomUUID(), updated_at: OLD, ...work(date, 8, 'x'.repeat(500)) }
    return { kind: 'entries', op: 'upsert', record }
  })
  return { changes }
}

function expectStorageFull({ status, headers, body }: Answer): void {
  expect(body).toMatchObject({ code: 'storage_full', status: 503 })
  expect(status).toBe(503)
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
}

test('a disk that fills up under many writers answers 503, loses nothing acknowledged, and recovers', async () => {
  const disk = await smallDisk('4m')
  disk.fill(1_048_576)
  const token = await addAccount(disk.inside)
  // Its log lies on the same disk.
  const logging = ['sh', '-c', `exec "$0" "$@" 2>> ${disk.dir}/log`]
  const options = {
    through: [...disk.through, ...logging],
    env: { SALDO_WRITES_PER_MINUTE: '100000', SALDO_WRITE_MEGABYTES_PER_MINUTE: '1000000' },
  }
  const first = await serve(disk.dir, options)
  const call = caller(first.url, token)
  const acknowledged = new Map<string, number>()
  let refused = 0
  const push = (count: number) => () => call('POST', '/api/sync/push', pushOf(count))

  const writeUntilFull = async (write: () => Promise<Answer>) => {
    for (let answer = await write(); ; answer = await write()) {
      if (answer.status === 503) {
        expectStorageFull(answer)
        refused += 1
        return
      }
      for (const { id, version } of answer.body.results ?? [answer.body]) {
        // Beyond the limits of a user, writes are refused.
        if (version !== undefined) acknowledged.set(id, version)
      }
    }
  }
  await Promise.all([
    ...[1, 20, 300].map((count) => writeUntilFull(push(count))),
    writeUntilFull(() => call('POST', '/api/entries', work(nextDate(), 8, 'y'.repeat(5_000)))),
    writeUntilFull(() => call('POST', '/api/settings', fullTime('2024-01-01'))),
  ])
  expect(refused).toBe(5)
  disk.fill()
  // Many at a time share a commit, and its failure. What the log has room for may still be stored.
  await Promise.all(Array.from({ length: 20 }, () => writeUntilFull(push(3))))

  const expectAll = async (ask: Call) => {
    const versions = new Map((await pullAll(ask)).map(({ id, version }) => [id, version]))
    for (const [id, version] of acknowledged) expect(versions.get(id)).toBe(version)
    expect(versions.size).toBe(acknowledged.size)
  }
  await expectAll(call)
  const ready = () => fetch(`${first.url}/api/health/ready`)
  const notReady = await ready()
  expect({ status: notReady.status, body: await notReady.json() }).toMatchObject({
    ...{ status: 503, body: { detail: 'There is no space left for the database: writes fail.' } },
  })

  disk.free()
  expect((await ready()).status).toBe(200)
  const answer = await push(10)()
  expect(answer.status).toBe(200)
  for (const { id, version } of answer.body.results) acknowledged.set(id, version)
  await expectAll(call)

  disk.fill()
  await writeUntilFull(push(100))
  await first.program.kill('SIGKILL')
  const second = await serve(disk.dir, options)
  await expectAll(caller(second.url, token))
})

heavyTest('on a full disk, writes are refused and reads work, even those that note the use of a token', async () => {
  const dir = temporaryDir()
  const token = await addAccount(dir)
  const before = await serve(dir)
  const prepare = caller(before.url, token)
  await prepare('POST', '/api/settings', fullTime('2024-01-01'))
  const entry = (await prepare('POST', '/api/entries', work('2024-01-03'))).body
  const signedIn = await prepare('POST', '/api/auth/sign-in', { email: EMAIL, password: PASSWORD })
  const cookie = signedIn.headers.getSetCookie().map((one) => one.split(';')[0] as string)
  await before.program.kill('SIGTERM')
  const database = new DatabaseSync(join(dir, 'saldo.db'))
  // A log that waits to be pruned, a session that waits to be prolonged, a token whose use today is not noted.
  database.exec('UPDATE sync_log SET logged_at = logged_at - 31 * 86400000')
  const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString()
  expect(database.prepare('UPDATE sessions SET expires_at = ?').run(inAMonth).changes).toBe(1)
  database.exec('UPDATE tokens SET last_used_at = NULL')
  database.close()

  const disk = await smallDisk('2m')
  cpSync(dir, disk.inside, { recursive: true })
  const { program, url } = await serve(disk.dir, { through: disk.through, env: { SALDO_SIGNUP: 'open' } })
  disk.fill()
  const call = caller(url, token)

  const reads = [
    '/api/sync/pull',
    '/api/sync/pull?since=0',
    '/api/balance',
    '/api/entries',
    '/api/me',
    '/api/me/export',
  ]
  for (const path of [...reads, '/api/account/days?from=2024-01-01&to=2024-01-07', '/api/health', '/api/version']) {
    expect((await call('GET', path)).status, path).toBe(200)
  }
  const bySession = await fetch(`${url}/api/balance`, { headers: { cookie: cookie.join('; ') } })
  expect(bySession.status).toBe(200)

  const newcomer = { email: 'grace@example.com', name: 'Grace', password: PASSWORD }
  const writes: [method: string, path: string, json?: object][] = [
    ['POST', '/api/sync/push', pushOf(1)],
    ['POST', '/api/entries', work('2024-01-04')],
    ['PUT', `/api/entries/${entry.id}`, work('2024-01-05')],
    ['DELETE', `/api/entries/${entry.id}`],
    ['POST', '/api/closed-days', { date: '2024-01-03' }],
    ['POST', '/api/closed-weeks', { week: '2024-W01' }],
    ['POST', '/api/auth/sign-up', newcomer],
    ['POST', '/api/auth/sign-in', { email: EMAIL, password: PASSWORD }],
  ]
  for (const [method, path, json] of writes) expectStorageFull(await call(method, path, json))
  const command = await runSaldo(['admin', 'token', 'add', EMAIL, '--name', 'late'], {
    through: disk.through,
    env: { SALDO_DATA_DIR: disk.dir },
  })
  expect(command).toMatchObject({ code: 1, stdout: '', stderr: 'saldo: there is no space left for the database\n' })

  disk.free()
  for (const [method, path, json] of writes) {
    expect((await call(method, path, json)).status, `${method} ${path}`).toBeLessThan(300)
  }
  // Now the log is pruned.
  expect((await call('GET', '/api/sync/pull?since=0')).status).toBe(410)
  expect((await call('POST', '/api/auth/sign-in', newcomer)).status).toBe(200)

  disk.fill()
  expect(await program.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(program.stderr).not.toMatch(/^\s+at /m)
})

heavyTest('a first start on a full disk ends with one line and leaves no database', async () => {
  const disk = await smallDisk('1m')
  disk.fill()
  const start = () => runSaldo(['serve'], { through: disk.through, env: { SALDO_DATA_DIR: disk.dir, SALDO_PORT: '0' } })
  const { code, stdout, stderr } = await start()
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^saldo: .*(no space left|full).*\n$/)
  expect(existsSync(join(disk.inside, 'saldo.db'))).toBe(false)
  disk.free()
  const { program } = await serve(disk.dir, { through: disk.through })
  await program.kill('SIGTERM')
  expect(readdirSync(disk.inside).sort()).toEqual(['auth-secret', 'saldo.db', 'saldo.db.lock'])
})

heavyTest('a start on a full disk with a database ends with one line, and touches nothing', async () => {
  const disk = await smallDisk('1m')
  const token = await addAccount(disk.inside)
  disk.fill()
  const env = { SALDO_DATA_DIR: disk.dir, SALDO_PORT: '0' }
  const { code, stdout, stderr } = await runSaldo(['serve'], { through: disk.through, env })
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '',
    stderr: `saldo: there is no space left to open ${disk.dir}/saldo.db\n`,
  })
  disk.free()
  const { url } = await serve(disk.dir, { through: disk.through })
  expect((await caller(url, token)('GET', '/api/me')).body.email).toBe(EMAIL)
})

test('[R6.1] a migration that runs out of space leaves the old level and no partial copy', async () => {
  const disk = await smallDisk('1m')
  copyFileSync(join(root, 'fixtures/databases/level-3.db'), join(disk.inside, 'saldo.db'))
  const options = { through: disk.through, env: { SALDO_DATA_DIR: disk.dir, SALDO_PORT: '0' } }
  // Room to open the database, none to copy it.
  disk.fill(1_048_576 - 2 * 73_728)
  const { code, stdout, stderr } = await runSaldo(['serve'], options)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^saldo: the database at schema level 3 cannot be copied: [^\n]*full[^\n]*\n$/)
  expect(readdirSync(disk.inside).filter((name) => name.includes('.level-'))).toEqual([])
  disk.free()
  expect((await runSaldo(['admin', 'migrate'], options)).stdout).toBe('The database was brought from level 3 to 4.\n')
})
