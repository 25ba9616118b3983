import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { isHeavy } from '../../core/test/tier.ts'
import { addAccount, EMAIL, PASSWORD } from '../../server/test/faults/full-time.ts'
import { root, runSaldo, serve, temporaryDir } from '../../server/test/faults/program.ts'
import { heavyTest } from '../../server/test/heavy-test.ts'

const LATEST = 4

function oldDatabase(level: number): { dir: string; file: string } {
  const dir = temporaryDir()
  const file = join(dir, 'saldo.db')
  copyFileSync(join(root, 'fixtures/databases', `level-${level}.db`), file)
  return { dir, file }
}

const migrate = (dir: string) => runSaldo(['admin', 'migrate'], { env: { SALDO_DATA_DIR: dir } })
const said = (line: string) => ({ code: 0, signal: null, stdout: `${line}\n`, stderr: '' })

test.for(isHeavy ? [1, 2, 3] : [1])(
  '[R6.1] migrate brings a database of level %i to the current one and tells it, once',
  async (level) => {
    const { dir, file } = oldDatabase(level)
    expect(await migrate(dir)).toEqual(said(`The database was brought from level ${level} to ${LATEST}.`))
    expect(existsSync(`${file}.level-${level}`)).toBe(true)
    expect(await migrate(dir)).toEqual(said(`The database is at level ${LATEST}.`))

    const add = await runSaldo(['admin', 'user', 'add', EMAIL, '--password-stdin'], {
      env: { SALDO_DATA_DIR: dir },
      input: PASSWORD,
    })
    expect(add.code).toBe(0)
  },
)

heavyTest('[R6.1] any command brings an older database to the current level first', async () => {
  const { dir, file } = oldDatabase(3)
  expect(await runSaldo(['admin', 'user', 'list', '--json'], { env: { SALDO_DATA_DIR: dir } })).toMatchObject({
    code: 0,
    stdout: '[]\n',
  })
  expect(existsSync(`${file}.level-3`)).toBe(true)
  expect(await migrate(dir)).toEqual(said(`The database is at level ${LATEST}.`))
})

test('[R6.1] of two commands that migrate at once one does it, and both succeed', async () => {
  const { dir } = oldDatabase(2)
  const runs = await Promise.all([migrate(dir), migrate(dir)])
  expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(2).fill({ code: 0, stderr: '' }))
  expect(readdirSync(dir).filter((name) => name.includes('.level-'))).toEqual(['saldo.db.level-2'])
})

test('[R6.1] migrate refuses a database that a newer program has migrated, and leaves it as it is', async () => {
  const dir = temporaryDir()
  await addAccount(dir)
  const file = join(dir, 'saldo.db')
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA user_version = ${LATEST + 1}; PRAGMA wal_checkpoint(TRUNCATE)`)
  database.close()
  const before = readFileSync(file)
  const { code, stdout, stderr } = await migrate(dir)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toBe(
    `saldo: the database has schema level ${LATEST + 1}, this program knows ${LATEST}: start a newer version of Saldo\n`,
  )
  expect(readFileSync(file).equals(before)).toBe(true)
})

heavyTest('migrate beside a running service says that there is nothing to do', async () => {
  const dir = temporaryDir()
  await serve(dir)
  expect(await migrate(dir)).toEqual(said(`The database is at level ${LATEST}.`))
})
