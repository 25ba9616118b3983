import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { heavyTest } from '../heavy-test.ts'
import { addAccount } from './full-time.ts'
import { runSaldo, serve, temporaryDir } from './program.ts'

/** For root, who may do anything, a process without that privilege; for others, themselves. */
const unprivileged = process.getuid?.() === 0 ? ['setpriv', '--inh-caps=-all', '--bounding-set=-all'] : []

/** Starts a service that must end with one line; returns that line. */
async function refusal(dataDir: string, env: Record<string, string> = {}): Promise<string> {
  const settings = { SALDO_DATA_DIR: dataDir, SALDO_PORT: '0', ...env }
  const { code, stdout, stderr } = await runSaldo(['serve'], { env: settings, through: unprivileged })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^saldo: [^\n]+\n$/)
  return stderr.slice('saldo: '.length, -1)
}

async function withAccount(): Promise<{ dir: string; file: string }> {
  const dir = temporaryDir()
  await addAccount(dir)
  return { dir, file: join(dir, 'saldo.db') }
}

heavyTest(
  'an empty, a foreign, a damaged and a shortened database file end the start, and stay as they are',
  async () => {
    const cases: [damage: (file: string) => void, line: RegExp][] = [
      [(file) => truncateSync(file), /is empty: restore it from a backup/],
      [(file) => writeFileSync(file, 'Dear diary, '.repeat(1000)), /is damaged or not an SQLite database/],
      [
        (file) => writeFileSync(file, readFileSync(file).fill(0x5a, 4096, 8192)),
        /is damaged or not an SQLite database/,
      ],
      [(file) => truncateSync(file, 40_000), /is damaged or not an SQLite database/],
      [
        (file) => {
          rmSync(file)
          new DatabaseSync(file).exec('CREATE TABLE recipes (name)')
        },
        /is not a Saldo database/,
      ],
    ]
    for (const [damage, line] of cases) {
      const { dir, file } = await withAccount()
      damage(file)
      const before = readFileSync(file)
      expect(await refusal(dir)).toMatch(line)
      expect(readFileSync(file).equals(before)).toBe(true)
    }
  },
)

test('a missing database is not created anew while its write-ahead file exists', async () => {
  const { dir, file } = await withAccount()
  rmSync(file)
  writeFileSync(`${file}-wal`, 'what was committed last')
  expect(await refusal(dir)).toMatch(/saldo\.db is missing, but .*saldo\.db-wal exists/)
  expect(existsSync(file)).toBe(false)
})

heavyTest('a folder in the place of the database, or a link to nothing, ends the start', async () => {
  const folder = temporaryDir()
  mkdirSync(join(folder, 'saldo.db'))
  expect(await refusal(folder)).toMatch(/saldo\.db is not a file/)

  const linked = temporaryDir()
  symlinkSync(join(linked, 'unmounted', 'saldo.db'), join(linked, 'saldo.db'))
  expect(await refusal(linked)).toMatch(/saldo\.db cannot be opened: ENOENT/)
  expect(readdirSync(linked)).not.toContain('unmounted')
})

heavyTest('a database, a folder or a secret that may not be written or read ends the start', async () => {
  const readOnlyFile = await withAccount()
  chmodSync(readOnlyFile.file, 0o444)
  expect(await refusal(readOnlyFile.dir)).toMatch(/saldo\.db or its folder cannot be written; check owner/)

  const readOnlyFolder = await withAccount()
  chmodSync(readOnlyFolder.dir, 0o555)
  expect(await refusal(readOnlyFolder.dir)).toMatch(/or its folder cannot be written; check owner/)
  chmodSync(readOnlyFolder.dir, 0o755)

  const closedFolder = await withAccount()
  chmodSync(closedFolder.dir, 0o000)
  expect(await refusal(closedFolder.dir)).toMatch(/saldo\.db.* cannot be (opened|written)/)
  chmodSync(closedFolder.dir, 0o755)
  expect(readdirSync(closedFolder.dir)).toContain('saldo.db')

  const unreadableSecret = await withAccount()
  writeFileSync(join(unreadableSecret.dir, 'auth-secret'), 'x'.repeat(43), { mode: 0o000 })
  expect(await refusal(unreadableSecret.dir)).toMatch(/auth-secret cannot be used: EACCES/)

  const emptySecret = await withAccount()
  writeFileSync(join(emptySecret.dir, 'auth-secret'), '')
  expect(await refusal(emptySecret.dir)).toMatch(/auth-secret is damaged/)
})

heavyTest('a data folder that cannot be created ends the start', async () => {
  const dir = temporaryDir()
  writeFileSync(join(dir, 'file'), '')
  expect(await refusal(join(dir, 'file'))).toMatch(/ENOTDIR/)
  expect(await refusal(join(dir, 'file', 'data'))).toMatch(/ENOTDIR/)
  mkdirSync(join(dir, 'closed'), { mode: 0o555 })
  expect(await refusal(join(dir, 'closed', 'data'))).toMatch(/EACCES/)
})

heavyTest('a database that another process has locked ends the start', async () => {
  const lockedBy = async (statements: string) => {
    const { dir, file } = await withAccount()
    const other = new DatabaseSync(file)
    onTestFinished(() => other.close())
    other.exec(statements)
    expect(await refusal(dir)).toBe(`${file} is locked by another process`)
  }
  // Each waits some seconds for the lock.
  await Promise.all([lockedBy('BEGIN IMMEDIATE'), lockedBy('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT')])
})

heavyTest('an address that cannot be listened on ends the start', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const { port } = other.address() as { port: number }
  expect(await refusal(temporaryDir(), { SALDO_PORT: String(port) })).toBe(
    `port ${port} is in use: set SALDO_PORT to another one`,
  )
  expect(await refusal(temporaryDir(), { SALDO_HOST: '203.0.113.1' })).toMatch(/^cannot listen on 203\.0\.113\.1:0/)
})

heavyTest('a second service on one file is refused, and nothing left by a killed one blocks the next', async () => {
  const { dir, file } = await withAccount()
  const first = await serve(dir)
  expect(await refusal(dir)).toMatch(`${file} is in use by another running service`)
  const linked = temporaryDir()
  symlinkSync(file, join(linked, 'saldo.db'))
  expect(await refusal(linked)).toMatch(`${file} is in use by another running service`)
  await first.program.kill('SIGKILL')
  const second = await serve(dir)
  await second.program.kill('SIGTERM')
  await serve(dir)
})

test('a new database and the secret beside it are for their owner alone', async () => {
  const dir = temporaryDir()
  chmodSync(dir, 0o755)
  await serve(dir)
  for (const name of readdirSync(dir).filter((name) => !name.endsWith('.lock'))) {
    expect(statSync(join(dir, name)).mode & 0o077, name).toBe(0)
  }
})
