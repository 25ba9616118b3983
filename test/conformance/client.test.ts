import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkClient, clientChecks } from '@saldo/conformance'
import { systemClock, systemRandom } from '@saldo/server'
import { expect, onTestFinished, test } from 'vitest'
import { checkOurClient } from '../planted/hunt.ts'

test('the client of this repository passes the client checks', async () => {
  // Many clients are started: what was compiled for one is there for the next.
  const cache = mkdtempSync(join(tmpdir(), 'saldo-compiled-'))
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }))
  const results = await checkOurClient({ cache })
  expect(results.map(({ title }) => title)).toEqual(clientChecks.map(({ title }) => title))
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
})

test('a command that does not answer in JSON fails the checks with the reason', async () => {
  const check = (command: string) =>
    checkClient({ command, random: systemRandom, now: () => systemClock.now() }, { only: 'R5.2' })
  const { results } = await check('echo hello && exit 3')
  expect(results).toMatchObject([{ outcome: 'failed', detail: expect.stringContaining('not JSON: hello') }])
  const silent = await check('echo broken >&2; exit 3')
  expect(silent.results).toMatchObject([{ outcome: 'failed', detail: expect.stringContaining('broken') }])
})
