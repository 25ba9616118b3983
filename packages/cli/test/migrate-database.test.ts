import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { root, runSaldo, serve, temporaryDir } from '../../server/test/faults/program.ts'

const move = (from: string, to: string) => runSaldo(['admin', 'migrate-database', '--from', from, '--to', to])
const failed = (line: string) => ({ code: 1, signal: null, stdout: '', stderr: `saldo: ${line}\n` })

function usersIn(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return Number(database.prepare('SELECT count(*) AS n FROM users').get()?.n)
  } finally {
    database.close()
  }
}

test('[D4.19] a database without a user, as a copy that failed leaves, is not accepted as the source', async () => {
  const [dir, target] = [temporaryDir(), join(temporaryDir(), 'saldo.db')]
  const { program } = await serve(dir)
  await program.kill('SIGTERM')
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
