import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { epochMs, instantOf } from '@saldo/core'
import { expect, test } from 'vitest'
import { IdentityStore } from '../../server/src/store/users/identities.ts'
import { serviceOfFile } from '../../server/test/file-service.ts'
import { startTestService } from '../../server/test/harness.ts'
import { commandsIn, temporaryFolder } from './in-process.ts'

const NOW = '2026-11-21T12:00:00.000Z'
const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/

const service = await serviceOfFile({ now: NOW })

/** Returns the operator's commands on a database: that of the running service unless told otherwise. */
const admin =
  (env: Record<string, string> = {}) =>
  (...args: string[]) =>
    commandsIn({ SALDO_DATA_DIR: service.dataDir, ...env }).run('admin', ...args)

const done = { code: 0, stdout: '', stderr: '' }
const failed = (line: string, code = 1) => ({ code, stdout: '', stderr: `saldo: ${line}\n` })

test('[D3.59] undo-auto-close prints what it reopened of whom, and leaves other users alone', async () => {
  const emails = ['ada@example.com', 'grace@example.com']
  for (const email of emails) {
    const { call } = await service.user(email)
    const auto_close = { day_after_ms: 0, week_after_days: 30 }
    const target_ms = Array(7).fill(0)
    await call('POST', '/api/settings', {
      json: { effective_from: '2026-11-19', time_zone: 'UTC', target_ms, auto_close },
    })
  }
  await service.service.runDueJobs()
  const undo = (since: string, ...email: string[]) => admin()('undo-auto-close', ...email, '--since', since)
  // The millisecond after they were closed.
  expect(await undo(instantOf(epochMs(NOW) + 1))).toEqual(done)
  expect(await undo(NOW, 'grace@example.com')).toEqual({ ...done, stdout: 'grace@example.com\t2\t0\n' })
  expect(await undo(NOW)).toEqual({ ...done, stdout: 'ada@example.com\t2\t0\n' })
  expect(await undo(NOW)).toEqual(done)
})

test('commands on a folder without a database say so, and create neither', async () => {
  const dir = join(temporaryFolder(), 'none')
  const run = admin({ SALDO_DATA_DIR: dir })
  const email = 'ada@example.com'
  for (const args of [
    ['user', 'list'],
    ['user', 'link', email],
    ['user', 'export', email, join(dir, 'copy')],
    ['user', 'role', email, 'admin'],
    ['user', 'deactivate', email],
    ['user', 'remove-passkeys', email],
    ['token', 'add', email, '--name', 'laptop'],
    ['token', 'list', email],
    ['token', 'revoke', email, 'x'],
    ['feed', 'add', email, '--name', 'Team', '--work'],
    ['feed', 'list', email],
    ['feed', 'revoke', email, 'x'],
    ['undo-auto-close', '--since', NOW],
    ['migrate'],
    ['backup', join(dir, 'copy')],
  ]) {
    const line = `there is no database at ${join(dir, 'saldo.db')}: is SALDO_DATA_DIR right?`
    expect(await run(...args), args.join(' ')).toEqual(failed(line))
  }
  expect(existsSync(dir)).toBe(false)
})

test('commands about a user whom nobody knows say so', async () => {
  const email = 'nobody@example.com'
  for (const args of [
    ['user', 'link', email],
    ['user', 'export', email, join(temporaryFolder(), 'x')],
    ...['deactivate', 'reactivate', 'erase', 'end-sessions'].map((command) => ['user', command, email]),
    ['user', 'role', email, 'user'],
    ...['second-factor', 'passkeys', 'company-sign-in'].map((what) => ['user', `remove-${what}`, email]),
    ['feed', 'list', email],
    ['token', 'add', email, '--name', 'x'],
    ['token', 'list', email],
    ['token', 'revoke', email, 'x'],
    ['undo-auto-close', email, '--since', NOW],
  ])
    expect(await admin()(...args), args.join(' ')).toEqual(failed(`there is no user ${email}`))
})

test('backup and restore refuse a database on PostgreSQL, and name what copies it', async () => {
  const run = admin({ SALDO_DATABASE_URL: 'postgresql://localhost:1/saldo', SALDO_AUTH_SECRET: 's'.repeat(32) })
  const line = 'the database is on PostgreSQL, whose own tools copy it: pg_dump and pg_restore'
  const copy = join(temporaryFolder(), 'copy')
  for (const command of ['backup', 'restore']) expect(await run(command, copy)).toEqual(failed(line))
  expect(existsSync(copy)).toBe(false)
})

test('[D4.19] beside a running service, copy-database copies neither from its database nor into it', async () => {
  const [served, target] = [join(service.dataDir, 'saldo.db'), join(temporaryFolder(), 'saldo.db')]
  const other = await startTestService({ dataDir: temporaryFolder() })
  await other.user('moved@example.com')
  await other.close()
  const line = `${served} is in use by another running service`
  const move = (from: string, to: string) => admin()('copy-database', '--from', from, '--to', to)
  await expect(move(served, target)).rejects.toThrow(line)
  expect(existsSync(target)).toBe(false)
  await expect(move(join(other.dataDir, 'saldo.db'), served)).rejects.toThrow(line)
})

test('[D15.8] a calendar feed works at once on a running service, and not after it is revoked', async () => {
  const email = 'feeds@example.com'
  await service.user(email)
  const run = admin()
  const made = await run('feed', 'add', email, '--name', 'Büro', '--absences', '--language', 'de')
  expect(made).toMatchObject({ code: 0, stderr: '' })
  const path = /^http:\/\/localhost:7253(\/api\/calendar\/feed_\d+_[\w-]{43}\.ics)\n$/.exec(made.stdout)?.[1] ?? ''
  const answer = await fetch(service.url + path)
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Büro')])

  const [id = '', ...row] = (await run('feed', 'list', email)).stdout.trim().split('\n').at(-1)?.split('\t') ?? []
  expect(row).toEqual(['Büro', 'absences', expect.stringMatching(/^\d{4}-\d\d-\d\d$/), expect.stringMatching(MINUTE)])
  expect(await run('feed', 'revoke', email, id)).toEqual(done)
  expect((await fetch(service.url + path)).status).toBe(404)
  expect(await run('feed', 'revoke', email, id)).toEqual(failed(`${email} has no calendar feed ${id}`))
  const elsewhere = admin({ SALDO_PUBLIC_URL: 'https://saldo.example' })
  expect((await elsewhere('feed', 'add', email, '--name', 'Team', '--work', '--absences')).stdout).toMatch(
    /^https:\/\/saldo\.example\/api\/calendar\/feed_\d+_[\w-]{43}\.ics\n$/,
  )
  expect((await run('feed', 'list', email)).stdout).toMatch(/\tTeam\tabsences and work\t[\d-]+\tnever used\n$/)
  expect(await run('feed', 'add', email, '--name', 'Team')).toEqual(failed('give --absences, --work or both', 2))
})

test('removing the company sign-in of a user unlinks them once, and ends their sessions', async () => {
  const email = 'linked@example.com'
  const { user } = await service.user(email)
  const stores = await service.openBeside()
  try {
    const identities = new IdentityStore(stores.driver, stores.users)
    const person = { issuer: 'https://id.example', subject: 'linked', verifiedEmail: email, name: '' }
    await identities.admit(person, () => ({ outcome: 'link', user }), NOW)
    const session = { at: NOW, expiresAt: '2027-11-21T12:00:00.000Z', userAgent: '' } as const
    await stores.users.addSession({ user, hash: 'hash' }, session)
    const limits = { now: NOW, begunSince: '2026-01-01T00:00:00.000Z' } as const
    expect(await stores.users.sessions(user, limits)).toHaveLength(1)
    const remove = () => admin()('user', 'remove-company-sign-in', email)
    expect(await remove()).toEqual(done)
    expect([await identities.list(user), await stores.users.sessions(user, limits)]).toEqual([[], []])
    expect(await remove()).toEqual(failed(`${email} has no company sign-in`))
  } finally {
    await stores.close()
  }
})
