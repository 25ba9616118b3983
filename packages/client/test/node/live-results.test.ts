import { join } from 'node:path'
import { type Live, openSaldo, type Saldo } from '@saldo/client'
import type { RecordKind } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import { headlessEnvironment } from '../../src/host/environment.ts'
import { sqliteStore } from '../../src/store/node/sqlite-store.ts'
import type { LocalStore, Tables } from '../../src/store/store.ts'
import { aClosedWeek, anAdjustment, aSettingsRow, aWork } from '../../src/testing.ts'
import { baseRecord, conflict, outboxRow, owner, rejectedChange } from '../rows.ts'
import { temporaryDir } from './child.ts'

const putRecord = (kind: RecordKind, record: { id: string }) => (tables: Tables) =>
  tables.baseRecords.put([
    {
      kind,
      id: record.id as never,
      version: 1,
      updatedAt: '2026-11-21T08:30:00.000Z',
      record: record,
      unconfirmed: false,
    },
  ])

/** A change of each part of a local store. */
const changes = {
  entry: putRecord('entries', aWork(0, 1)),
  settings: putRecord('settings_history', aSettingsRow()),
  adjustment: putRecord('balance_adjustments', anAdjustment('2026-11-21', 1)),
  week: putRecord('closed_weeks', aClosedWeek('2026-W46', 0)),
  day: putRecord('closed_days', { ...aClosedWeek('2026-W46', 0), date: '2026-11-09' } as never),
  outbox: (tables: Tables) => tables.outbox.put([outboxRow(1, null)]),
  rejected: (tables: Tables) => tables.rejectedChanges.put([rejectedChange(2)]),
  conflict: (tables: Tables) => tables.conflicts.put([conflict(3)]),
  meta: async (tables: Tables) => tables.setMeta({ ...(await tables.meta()), syncedAtMs: 7 }),
} satisfies Record<string, (tables: Tables) => Promise<void>>
type Part = keyof typeof changes

const account: Part[] = ['entry', 'settings', 'adjustment', 'week', 'day', 'outbox']
const range = { from: '2026-11-16', to: '2026-11-22' } as const
const queries: [string, (saldo: Saldo) => Live<unknown>, Part[]][] = [
  ['all entries', ({ entries }) => entries.all(), ['entry', 'outbox']],
  ['entries of a range', ({ entries }) => entries.between(range), ['entry', 'settings', 'outbox']],
  ['settings', ({ settings }) => settings.all(), ['settings', 'outbox']],
  ['adjustments', ({ balanceAdjustments }) => balanceAdjustments.all(), ['adjustment', 'outbox']],
  ['days', (saldo) => saldo.account.days(range), account],
  ['the balance', (saldo) => saldo.account.balance(), account],
  ['proposals', (saldo) => saldo.account.proposals(), account],
  ['vacation', (saldo) => saldo.account.vacation(2026), ['entry', 'settings', 'outbox']],
  ['closed weeks', (saldo) => saldo.account.closedWeeks(), ['week']],
  ['lost closings', (saldo) => saldo.account.lostClosings(), ['week', 'day', 'meta']],
  ['the status', ({ status }) => status, ['outbox', 'rejected', 'conflict', 'meta']],
  ['unsent changes', ({ outbox }) => outbox.list(), ['outbox']],
  ['the number of unsent changes', ({ outbox }) => outbox.count(), ['outbox']],
  ['rejected changes', ({ rejectedChanges }) => rejectedChanges.list(), ['rejected']],
  ['conflicts', ({ conflicts }) => conflicts.list(), ['conflict']],
]

/** Opens a device without a network, and its store. */
async function openOffline(): Promise<{ saldo: Saldo; store: LocalStore }> {
  const store = sqliteStore(join(temporaryDir(), 'store.db'))(owner)
  const saldo = await openSaldo({
    user: owner.user,
    store: () => store,
    transport: async () => ({ outcome: 'retryable', retryAfterMs: 0 }),
    listen: async () => 'missing',
    clock: { now: () => Date.parse('2026-11-21T12:00:00Z'), after: () => () => {} },
    environment: { ...headlessEnvironment, isOnline: () => false },
  })
  onTestFinished(() => saldo.close())
  return { saldo, store }
}

test.each(queries)(
  '[D7.54] %s: a subscriber gets a new result after a change of what it is made of',
  async (...row) => {
    const [, queryOf, parts] = row
    const { saldo, store } = await openOffline()
    let results = 0
    const end = queryOf(saldo).subscribe(() => {
      results += 1
    })
    onTestFinished(end)
    await expect.poll(() => results, { timeout: 30_000 }).toBe(1)
    for (const [index, part] of parts.entries()) {
      await store.write(changes[part])
      await expect.poll(() => results, { timeout: 30_000, message: part }).toBe(index + 2)
    }
  },
)

test('[D7.56] the status counts unsent and rejected changes, conflicts and unreadable records', async () => {
  const { saldo, store } = await openOffline()
  await store.write(async (tables) => {
    await tables.outbox.put([
      { ...outboxRow(2), queuedAtMs: 9 },
      { ...outboxRow(1), queuedAtMs: 8 },
    ])
    await tables.rejectedChanges.put([3, 4, 5].map(rejectedChange))
    await tables.conflicts.put([6, 7, 8, 9].map(conflict))
    await tables.baseRecords.put([{ ...baseRecord(10), isUnreadable: true }, baseRecord(11)])
    const divergence = { foundAtMs: 6, isHealed: true }
    await tables.setMeta({ ...(await tables.meta()), syncedAtMs: 7, divergence })
  })
  expect(await saldo.status.read()).toMatchObject({
    unsent: 2,
    oldestUnsentAtMs: 8,
    rejected: 3,
    conflicts: 4,
    unreadable: 1,
    lastSuccessMs: 7,
    divergence: { foundAtMs: 6, isHealed: true },
  })
})
