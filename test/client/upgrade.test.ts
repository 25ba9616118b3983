import { fetchTransport, openSaldo } from '@saldo/client'
import { dexieStore } from '@saldo/client/dexie'
import type { UserNumber } from '@saldo/core'
import { systemRandom } from '@saldo/server'
import { expect, onTestFinished, test } from 'vitest'
import { fakeBrowser, OldProgram } from '../../packages/client/test/dexie/old-databases.ts'
import { Harness } from './harness.ts'

const USER = 1 as UserNumber
const ID = '0b6e0f3a-7f43-4c52-8a55-6b0f0c1d2e3f'
const target_ms = [28_800_000, 28_800_000, 28_800_000, 28_800_000, 28_800_000, 0, 0]
const settings = { effective_from: '2026-11-16', time_zone: 'Europe/Berlin', target_ms }

test.each([1, 2, 3] as const)(
  '[R5.7] [R6.3] [R5.3] [R5.4] a device of version %i is upgraded: its outbox reaches the service, and the next pull refills it',
  async (version) => {
    const harness = await Harness.open()
    onTestFinished(() => harness.close())
    const there = await harness.ask('/api/settings', settings)
    const adjustment = { effective_date: '2026-11-16', delta_ms: 60_000, kind: 'opening', reason: 'before' }
    const { id: adjusted } = await harness.ask('/api/balance/adjustments', adjustment)

    const browser = fakeBrowser()
    const old = await OldProgram.open(version, USER, browser.indexedDB)
    await old.pulled(40, { settings_history: [{ id: version === 3 ? there.id : 7, ...settings }] })
    const updated_at = '2026-11-21T11:00:00.000Z'
    const record = { id: ID, kind: 'work', started_at: '2026-11-20T08:00:00.000Z', note: 'offline', updated_at }
    await old.changedOffline({ kind: 'entries', op: 'upsert', id: ID, updated_at, record })
    old.close()

    const saldo = await openSaldo({
      user: USER,
      store: dexieStore(browser),
      transport: fetchTransport(harness.address),
      listen: async () => 'missing',
      clock: { now: () => harness.nowMs, after: () => () => {} },
      random: { ...systemRandom, fraction: () => 0.5 },
    })
    onTestFinished(() => saldo.close())
    await saldo.sync()

    expect(await harness.ask(`/api/entries/${ID}`)).toMatchObject({ note: 'offline', updated_at })
    expect((await saldo.settings.all().read()).map(({ record }) => record.id)).toEqual([there.id])
    expect((await saldo.balanceAdjustments.all().read()).map(({ record }) => record.id)).toEqual([adjusted])
    expect(await saldo.entries.all().read()).toMatchObject([{ record: { note: 'offline' }, pending: false }])
  },
)
