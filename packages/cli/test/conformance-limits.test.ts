import { expect, test } from 'vitest'
import { addAccount, caller } from '../../server/test/faults/full-time.ts'
import { runSaldo, saldo, serve, temporaryDir } from '../../server/test/faults/program.ts'
import { heavyTest } from '../../server/test/heavy-test.ts'

heavyTest('[D1.25] a service with default settings passes: the kit waits where it writes too often', async () => {
  const dir = temporaryDir()
  const token = await addAccount(dir)
  const { url } = await serve(dir)
  const { code, stdout } = await runSaldo(['conformance', url, '--token', token])
  expect(stdout).toMatch(/\n\d+ passed, 0 failed, \d+ not applicable\n$/)
  expect(stdout).not.toContain('not removed')
  expect(code).toBe(0)
  const { changes } = (await caller(url, token)('GET', '/api/sync/pull')).body
  expect(changes).toEqual({})
})

test('an interrupted run removes what it wrote', async () => {
  const dir = temporaryDir()
  const token = await addAccount(dir)
  const { url } = await serve(dir)
  const call = caller(url, token)
  const records = async () => Object.keys((await call('GET', '/api/sync/pull')).body.changes)
  const run = saldo(['conformance', url, '--token', token])
  await expect.poll(records, { timeout: 60_000 }).not.toEqual([])
  expect((await run.kill('SIGINT')).code, run.stderr).toBe(1)
  expect(run.stdout).not.toContain('not removed')
  expect(await records()).toEqual([])
})
