import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkClient, clientChecks } from '@saldo/conformance'
import { systemClock, systemRandom } from '@saldo/server'
import { afterAll, expect, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { clientMutants } from './client-mutants.ts'

// Many clients are started here: what was compiled for one is there for the next.
const cache = mkdtempSync(join(tmpdir(), 'saldo-compiled-'))
afterAll(() => rmSync(cache, { recursive: true, force: true }))

const words = [process.execPath, join(import.meta.dirname, 'client-command.ts')]
const script = `NODE_COMPILE_CACHE=${JSON.stringify(cache)} ${words.map((word) => JSON.stringify(word)).join(' ')}`

const check = (command: string, only?: string) =>
  checkClient({ command, random: systemRandom, now: () => systemClock.now() }, { only })

test('the client of this repository passes the client checks', async () => {
  const { results } = await check(script)
  expect(results.map(({ title }) => title)).toEqual(clientChecks.map(({ title }) => title))
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
})

heavyTest.each(Object.entries(clientMutants))('a client that %s is found', async (name, { rule, check: only }) => {
  const { results } = await check(`${script} ${JSON.stringify(name)}`, only)
  expect(results.map(({ outcome }) => outcome)).toEqual(['failed'])
  expect(results[0]?.rules).toContain(rule)
})

test('a command that does not answer in JSON fails the checks with the reason', async () => {
  const { results } = await check('echo hello && exit 3', 'R5.2')
  expect(results).toMatchObject([{ outcome: 'failed', detail: expect.stringContaining('not JSON: hello') }])
  const silent = await check('echo broken >&2; exit 3', 'R5.2')
  expect(silent.results).toMatchObject([{ outcome: 'failed', detail: expect.stringContaining('broken') }])
})
