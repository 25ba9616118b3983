import { statSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { databaseFile } from '../../src/service.ts'
import { startTestService } from '../harness.ts'
import { signUp } from './browser.ts'
import { watchFile } from './database.ts'
import { create, resourceOf } from './resources.ts'

test('[D8.28] authenticated requests write nothing to the database, with a token or a session', async () => {
  const service = await startTestService({ now: new Date().toISOString() })
  onTestFinished(() => service.close())
  const browser = await signUp(service)
  const program = await service.user()
  const entries = resourceOf('entries')
  const { id } = await create(browser.call, entries, entries.content)

  const file = databaseFile(service)
  const watch = watchFile(service)
  onTestFinished(() => void watch.close())
  /** Moves with every commit of another connection; the log is as long as all that was written to it. */
  const state = () => ({ commits: watch.pragma('data_version'), wal: statSync(`${file}-wal`).size })

  // The first use of a token in a quarter of an hour is noted.
  const unused = state()
  await program.call('GET', '/api/balance')
  const before = state()
  expect(before).not.toEqual(unused)
  for (let n = 0; n < 20; n += 1) {
    for (const path of [
      '/api/balance',
      '/api/entries',
      `/api/entries/${id}`,
      '/api/sync/pull',
      '/api/sync/pull?since=0',
    ]) {
      await program.call('GET', path)
      await browser.call('GET', path)
    }
    await browser.call('GET', '/api/me/sessions')
    await service.call('GET', '/api/me', { token: 'saldo_wrong' })
    // Writes that are refused, too.
    await program.call('POST', '/api/entries', { json: {} })
    await browser.call('PUT', `/api/entries/${id}`, { json: entries.content, headers: { 'if-match': '"0"' } })
    await program.call('DELETE', `/api/entries/${id}`)
  }
  expect(state()).toEqual(before)
})
