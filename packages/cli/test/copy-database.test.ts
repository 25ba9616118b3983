import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { isHeavy } from '../../core/test/tier.ts'
import { addAccount } from '../../server/test/faults/full-time.ts'
import { root, runSaldo, serve, temporaryDir } from '../../server/test/faults/program.ts'
import { startTestService } from '../../server/test/harness.ts'
import { heavyTest } from '../../server/test/heavy-test.ts'

const move = (from: string, to: string) => runSaldo(['admin', 'copy-database', '--from', from, '--to', to])
const failed = (line: string) => ({ code: 1, signal: null, stdout: '', stderr: `saldo: ${line}\n` })

function usersIn(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return Number(database.prepare('SELECT count(*) AS n FROM users').get()?.n)
  } finally {
    database.close()
  }
}

test('[D8.44] a password among the arguments is refused, and repeated nowhere', async () => {
  const file = join(temporaryDir(), 'saldo.db')
  const inAuthority = 'postgresql://saldo:hunter2@localhost/saldo'
  const inQuery = 'postgresql://saldo@localhost/saldo?sslmode=require&password=hunter2'
  const ofTwoHosts = 'postgres://:hunter2@db-1:5432,db-2:5432/saldo?sslmode=require'
  const places: [from: string, to: string, option: string][] = [
    [file, inAuthority, '--to'],
    [inQuery, file, '--from'],
  ]
  if (isHeavy) {
    places.push([inAuthority, file, '--from'], [file, inQuery, '--to'])
    places.push([ofTwoHosts, file, '--from'], [file, ofTwoHosts, '--to'])
  }
  for (const [from, to, option] of places) {
    const { code, stdout, stderr } = await move(from, to)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`${option} must have no password`)
    expect(stderr).not.toContain('hunter2')
  }
  expect((await move(file, 'postgresql://saldo@db-1:5432,db-2:5432/saldo?x=:@')).stderr).not.toContain('password')
})

test('[D4.19] a database without a user, as a copy that failed leaves, is not accepted as the source', async () => {
  const [dir, target] = [temporaryDir(), join(temporaryDir(), 'saldo.db')]
  await (await startTestService({ dataDir: dir })).close()
  const empty = 'the source database is empty: it may be an unfinished copy, or the wrong database'
  expect(await move(join(dir, 'saldo.db'), target)).toEqual(failed(empty))
  expect(usersIn(target)).toBe(0)

  const nothing = join(dir, 'nothing')
  writeFileSync(nothing, '')
  expect((await move(nothing, target)).stderr).toContain(`${nothing} is empty`)
  expect((await move(join(dir, 'absent'), target)).stderr).toContain('there is no database at')
})

test('[D4.18] records from before users are moved, though there is no user yet', async () => {
  const [source, target] = [join(temporaryDir(), 'saldo.db'), join(temporaryDir(), 'saldo.db')]
  copyFileSync(join(root, 'fixtures/databases/level-3.db'), source)
  expect(await move(source, target)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Copied 0 users with [1-9]/),
  })
})

test('[D4.18] a moved file is used by nothing any more, and loudly so, until it is restored', async () => {
  const dir = temporaryDir()
  const [source, target] = [join(dir, 'saldo.db'), join(temporaryDir(), 'saldo.db')]
  await addAccount(dir)
  const moved = await move(source, target)
  expect(moved).toMatchObject({ code: 0, stderr: '' })
  expect(moved.stdout).toContain(`${source} is marked as moved`)
  expect(moved.stdout).toContain('Next: ')
  const today = new Date().toISOString().slice(0, 10)
  const refused = failed(
    `${source} was moved to ${target} on ${today}: set SALDO_DATABASE_URL; to use the file again, ` +
      `run «saldo admin restore ${source}»`,
  )
  const env = { SALDO_DATA_DIR: dir }
  for (const command of [['admin', 'backup', join(dir, 'copy.db')], ['admin', 'user', 'list'], ['serve']]) {
    expect(await runSaldo(command, { env }), command.join(' ')).toEqual(refused)
  }
  expect(await move(source, join(temporaryDir(), 'saldo.db'))).toEqual(refused)
  expect(existsSync(join(dir, 'copy.db'))).toBe(false)
  expect(await runSaldo(['admin', 'user', 'list'], { env: { SALDO_DATA_DIR: dirname(target) } })).toMatchObject({
    code: 0,
  })

  expect(await runSaldo(['admin', 'restore', source], { env })).toMatchObject({ code: 0 })
  expect(await runSaldo(['admin', 'backup', join(dir, 'copy.db')], { env })).toMatchObject({ code: 0 })
})

heavyTest('a backup keeps the secret beside it, and a restore puts it back and keeps the present one', async () => {
  const dir = temporaryDir()
  await addAccount(dir)
  const { program } = await serve(dir)
  await program.kill('SIGTERM')
  const [secret, copy, env] = [join(dir, 'auth-secret'), join(dir, 'copy.db'), { SALDO_DATA_DIR: dir }]
  const before = readFileSync(secret, 'utf8')
  expect((await runSaldo(['admin', 'backup', copy], { env })).stdout).toContain(`${copy}.auth-secret holds its secret`)
  expect(readFileSync(`${copy}.auth-secret`, 'utf8')).toBe(before)
  expect(statSync(`${copy}.auth-secret`).mode & 0o777).toBe(0o600)

  writeFileSync(secret, 'another secret of another service, long enough')
  const restored = await runSaldo(['admin', 'restore', copy], { env })
  const [kept = ''] = readdirSync(dir).filter((name) => name.startsWith('auth-secret.before-restore-'))
  expect(restored).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`What was there is kept as ${join(dir, kept)}.`),
  })
  expect(readFileSync(join(dir, kept), 'utf8')).toContain('another secret')
  expect(readFileSync(secret, 'utf8')).toBe(before)

  // A new computer has no secret yet.
  const elsewhere = temporaryDir()
  chmodSync(`${copy}.auth-secret`, 0o644)
  expect(await runSaldo(['admin', 'restore', copy], { env: { SALDO_DATA_DIR: elsewhere } })).toMatchObject({ code: 0 })
  expect(readFileSync(join(elsewhere, 'auth-secret'), 'utf8')).toBe(before)
  expect(statSync(join(elsewhere, 'auth-secret')).mode & 0o777).toBe(0o600)
})
