import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addAccount, caller, EMAIL, PASSWORD, work } from '../../server/test/faults/account.ts'
import { runSaldo, saldo, temporaryDir, whenServing } from '../../server/test/faults/program.ts'
import { newPostgres } from '../../server/test/postgres/database.ts'

test('[D7] [D8] saldo migrate-database moves an account to PostgreSQL, where two nodes serve it, and back', async () => {
  const dir = temporaryDir()
  const token = await addAccount(dir)
  const url = await newPostgres()
  const env = { SALDO_DATABASE_URL: url, SALDO_AUTH_SECRET: 'the same for all nodes '.repeat(2) }
  const move = (from: string, to: string) => runSaldo(['migrate-database', '--from', from, '--to', to])
  const file = join(dir, 'saldo.db')
  const done = { code: 0, signal: null, stderr: '' }

  expect(await move(file, url)).toEqual({ ...done, stdout: 'Copied 1 users with 0 records.\n' })
  expect(await move(file, url)).toMatchObject({ code: 1, stderr: expect.stringContaining('the target is not empty') })
  expect((await runSaldo(['user', 'list'], { env })).stdout).toContain(EMAIL)

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
  expect(await move(url, join(back, 'saldo.db'))).toEqual({ ...done, stdout: 'Copied 1 users with 3 records.\n' })
  const node = await whenServing(saldo(['serve'], { env: { SALDO_DATA_DIR: back, SALDO_PORT: '0' } }))
  expect((await caller(node.url, token)('GET', '/api/sync/pull?since=0')).body).toMatchObject({ version: 3 })
})
