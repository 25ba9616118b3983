import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { syncInBackground, userOfSync } from '../src/api/background.ts'
import { openSaldo, type SaldoOptions } from '../src/api/saldo.ts'
import { systemRandom } from '../src/host/platform.ts'
import { dexieStore } from '../src/store/dexie/dexie-store.ts'
import { sqliteStore } from '../src/store/node/sqlite-store.ts'
import type { OpenStore } from '../src/store/store.ts'
import { owner } from './rows.ts'

/** A device without a network. */
const optionsOf = (store: OpenStore): SaldoOptions => ({
  user: owner.user,
  store,
  transport: async () => ({ outcome: 'retryable', retryAfterMs: 0 }),
  listen: async () => 'missing',
  clock: { now: () => Date.parse('2026-11-20T08:00:00Z'), after: () => () => {} },
  random: systemRandom,
})

test('[D7.59] the browser tries a background sync again while changes are unsent', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'saldo-background-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const options = optionsOf(sqliteStore(join(folder, 'store.db')))
  await expect(syncInBackground(options)).resolves.toBeUndefined()
  const saldo = await openSaldo(options)
  await saldo.entries.create({ kind: 'sick', date: '2026-11-20' }).settled
  await saldo.close()
  await expect(syncInBackground(options)).rejects.toThrow('1 changes are unsent')
})

test('[D7.59] the browser tries a background sync again if the local store cannot be read', async () => {
  // Node has no IndexedDB.
  await expect(syncInBackground(optionsOf(dexieStore()))).rejects.toThrow('unknown changes are unsent')
})

test('[D7.59] the tag of a background sync names its user; another tag is of something else', () => {
  const tags = ['saldo-sync-7', 'saldo-sync-', 'saldo-sync-0', 'saldo-sync-x', 'other-7', '7']
  expect(tags.map((tag) => userOfSync({ tag }))).toEqual([7, ...Array(5).fill(undefined)])
})
