import { join } from 'node:path'
import {
  buildTimeline,
  DAY_MS,
  dayWindow,
  HOUR_MS,
  type JsonObject,
  MINUTE_MS,
  type RecordId,
  type RecordKind,
  type WritableKind,
} from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import { exportJson } from '../../src/export/exported-account.ts'
import { readAccountNow } from '../../src/import/preview.ts'
import type { ForecastDay } from '../../src/queries/forecast.ts'
import {
  balanceAt,
  entriesBetween,
  forecastBetween,
  listClosedWeeks,
  previewAt,
  vacationAt,
} from '../../src/queries/queries.ts'
import { sqliteStore } from '../../src/store/node/sqlite-store.ts'
import type { LocalStore, ReadTables, Tables } from '../../src/store/store.ts'
import { aClosedWeek, anAbsence, anAdjustment, aSettingsRow, aWork } from '../../src/testing.ts'
import { baseRecord, outboxRow, owner } from '../rows.ts'
import { temporaryDir } from './child.ts'

/** Returns a store with records, which is closed when its test ends. */
async function storeOf(records: Partial<Record<RecordKind, readonly { id: RecordId }[]>>): Promise<LocalStore> {
  const store = sqliteStore(join(temporaryDir(), 'store.db'))(owner)
  onTestFinished(() => store.close())
  const rows = Object.entries(records).flatMap(([kind, ofKind]) =>
    ofKind.map((record) => ({
      ...baseRecord(1, record as unknown as JsonObject),
      kind: kind as RecordKind,
      id: record.id,
    })),
  )
  await store.write((tables) => tables.baseRecords.put(rows))
  return store
}

test.each(['Pacific/Niue', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Kiritimati'])(
  '[D7.54] [D3.44] in %s, a date has the work of its first and of its last minute, and none beside it',
  async (time_zone) => {
    const settings = aSettingsRow({ time_zone })
    const range = { from: '2026-11-18', to: '2026-11-18' } as const
    const { start, end } = dayWindow(buildTimeline([settings]), range.from)
    const startsMs = [start - MINUTE_MS, start, end - MINUTE_MS, end]
    const work = startsMs.map((ms) => aWork(ms, ms + MINUTE_MS))
    const store = await storeOf({ settings_history: [settings], entries: work })
    const entries = await store.read((tables) => entriesBetween(tables, range))
    expect(entries.map(({ record }) => record.id).toSorted()).toEqual([work[1]?.id, work[2]?.id].toSorted())
    const [day] = await store.read((tables) => forecastBetween(tables, range))
    expect(day?.forecast.worked_ms).toBe(2 * MINUTE_MS)
  },
)

const user = { user_id: owner.user, email: 'ada@example.com', name: '', personnel_number: '', employer: '' }
const vacation = [anAbsence('vacation', '2026-11-19'), anAbsence('vacation', '2026-11-20')]
const accountIn = (time_zone: string) => {
  const settings = aSettingsRow({ time_zone, vacation: { days_per_year: 30, carry_over_until: null } })
  const { start } = dayWindow(buildTimeline([settings]), '2026-11-18')
  return {
    settings_history: [settings],
    entries: [aWork(start, start + HOUR_MS), ...vacation],
    balance_adjustments: [anAdjustment('2026-11-19', HOUR_MS), anAdjustment('2026-11-20', 2 * HOUR_MS)],
  }
}
const fewerHoursIn = (time_zone: string) => aSettingsRow({ time_zone, target_ms: Array(7).fill(5 * HOUR_MS) })

/** The queries that take the time of a device. */
type QueryAt = (tables: ReadTables, deviceNowMs: number, time_zone: string) => Promise<unknown>
const queriesOfDate: [string, QueryAt][] = [
  ['the balance', balanceAt],
  ['the preview of settings', (tables, nowMs, time_zone) => previewAt(tables, fewerHoursIn(time_zone), nowMs)],
  ['the vacation account', (tables, nowMs) => vacationAt(tables, 2026, nowMs)],
]
const queriesOfTime: [string, QueryAt][] = [
  ['the account before an import', readAccountNow],
  ['an export', (tables, nowMs) => exportJson(tables, user, nowMs)],
]

test.each([...queriesOfDate, ...queriesOfTime])(
  '[D3.44] %s is that of the time at the service, whatever the device says',
  async (...row) => {
    const [, query] = row
    const store = await storeOf(accountIn('UTC'))
    const serviceNowMs = Date.parse('2026-11-19T12:00:00Z')
    const resultAt = (deviceNowMs: number) => store.read((tables) => query(tables, deviceNowMs, 'UTC'))
    const result = await resultAt(serviceNowMs)
    for (const aheadMs of [3 * DAY_MS, -3 * DAY_MS]) {
      await store.write(async (tables) => tables.setMeta({ ...(await tables.meta()), offsetMs: -aheadMs }))
      expect(await resultAt(serviceNowMs + aheadMs)).toEqual(result)
    }
  },
)

test.each(queriesOfDate)('[D3.44] %s is that of the date in the time zone of the account', async (...row) => {
  const [, query] = row
  const resultIn = async (time_zone: string, now: string) => {
    const store = await storeOf(accountIn(time_zone))
    return store.read((tables) => query(tables, Date.parse(now), time_zone))
  }
  const result = await resultIn('UTC', '2026-11-19T12:00:00Z')
  expect(await resultIn('Pacific/Kiritimati', '2026-11-18T12:00:00Z')).toEqual(result)
  expect(await resultIn('Pacific/Niue', '2026-11-20T06:00:00Z')).toEqual(result)
})

test('[D3.44] closed weeks are listed from the first to the last, in whatever order they were closed', async () => {
  const weeks = (['2026-W46', '2025-W52', '2026-W09'] as const).map((week) => aClosedWeek(week, 0))
  const store = await storeOf({ closed_weeks: weeks })
  expect((await store.read(listClosedWeeks)).map(({ week }) => week)).toEqual(['2025-W52', '2026-W09', '2026-W46'])
})

test('[D7.28] [D7.11] the confirmed balance counts adjustments as the service has them', async () => {
  const [sent, edited, unreadable] = [1, 2, 4].map((hours) => anAdjustment('2026-11-01', hours * HOUR_MS))
  const store = await storeOf({ balance_adjustments: [sent, edited] as { id: RecordId }[] })
  await store.write(async (tables) => {
    const row = {
      ...baseRecord(1, { ...unreadable, kind: 'gift' }),
      kind: 'balance_adjustments' as const,
    }
    await tables.baseRecords.put([{ ...row, id: unreadable?.id as RecordId, isUnreadable: true }])
    const { id, effective_date, kind, reason } = edited as ReturnType<typeof anAdjustment>
    const content = { effective_date, delta_ms: 8 * HOUR_MS, kind, reason }
    await tables.outbox.put([{ ...outboxRow(1, content), kind: 'balance_adjustments', id }])
  })
  const balance = await store.read((tables) => balanceAt(tables, Date.parse('2026-11-21T12:00:00Z')))
  expect(balance).toMatchObject({ confirmedMs: 3 * HOUR_MS, forecastMs: 9 * HOUR_MS })
})

const STALE_MS = 7 * HOUR_MS
const atNoonOf = (day: number) => Date.parse(`2026-11-0${day}T12:00:00Z`)
const workOn = (day: number) => aWork(atNoonOf(day), atNoonOf(day) + HOUR_MS)
const [moved, other] = [workOn(3), workOn(8)]
const schedule = aSettingsRow({ time_zone: 'UTC' })
/** The content of a record, as a change of it is queued. */
const contentIn = ({
  id: _id,
  version: _version,
  created_at: _at,
  updated_at: _then,
  ...content
}: object & {
  [name: string]: unknown
}) => content as JsonObject
const unsent = (kind: WritableKind, id: RecordId, content: object | null) => (tables: Tables) =>
  tables.outbox.put([{ ...outboxRow(1, content && contentIn({ ...content })), kind, id }])
const stored = (kind: RecordKind, record: { id: RecordId }, lastPulled?: object) => (tables: Tables) => {
  const row = { ...baseRecord(9, record), kind, id: record.id }
  return tables.baseRecords.put([
    {
      ...row,
      unconfirmed: true,
      ...(lastPulled && { lastPulled: { ...row, version: 1, record: lastPulled as JsonObject } }),
    },
  ])
}
const allDays = [2, 3, 4, 5, 6, 7, 8]

test.each<[string, (tables: Tables) => Promise<void>, number[]]>([
  ['nothing', async () => {}, []],
  ['an unsent entry', unsent('entries', workOn(4).id, workOn(4)), [4]],
  ['an unsent move of an entry', unsent('entries', moved.id, workOn(5)), [3, 5]],
  ['an unsent deletion of an entry', unsent('entries', moved.id, null), [3]],
  ['an unsent schedule', unsent('settings_history', schedule.id, schedule), allDays],
  ['an unsent adjustment', unsent('balance_adjustments', moved.id, anAdjustment('2026-11-03', 1)), []],
  ['an entry that no pull has brought', stored('entries', workOn(6)), [6]],
  [
    'a move of an entry that no pull has brought',
    stored('entries', { ...moved, ...contentIn({ ...workOn(7) }) }, moved),
    [3, 7],
  ],
  ['a schedule that no pull has brought', stored('settings_history', schedule), allDays],
])('[D3.44] of closed days, %s recomputes those whose figures it alters', async (...row) => {
  const [, change, recomputed] = row
  const closed_days = allDays.map((day) => ({
    ...aClosedWeek('2026-W45', 0),
    date: `2026-11-0${day}`,
    worked_ms: STALE_MS,
  }))
  const store = await storeOf({ settings_history: [schedule], entries: [moved, other], closed_days })
  await store.write(change)
  const days = await store.read((tables) => forecastBetween(tables, { from: '2026-11-02', to: '2026-11-08' }))
  const isRecomputed = ({ forecast }: ForecastDay) => forecast.worked_ms !== STALE_MS
  expect(days.filter(isRecomputed).map(({ date }) => Number(date.slice(-1)))).toEqual(recomputed)
})
