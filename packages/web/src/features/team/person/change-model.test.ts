import type { MemberRecords } from '@saldo/core'
import { expect, test } from 'vitest'
import {
  changeOfForm,
  deletionOf,
  firstDateIn,
  type HrForm,
  hrFormOf,
  memberSettingsOf,
  recordsByDate,
  shownEntryOf,
} from './change-model.ts'

const idOf = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}` as const
const [W, S, G, A, NEW] = [idOf(1), idOf(2), idOf(3), idOf(4), idOf(5)]
const HOUR_MS = 3_600_000
const hours = [8, 8, 8, 8, 8, 0, 0].map((each) => each * HOUR_MS)
const records: MemberRecords = {
  entries: [
    { id: W, kind: 'work', started_at: '2026-11-19T23:30:20.000Z', ended_at: '2026-11-20T07:00:00.000Z' },
    { id: S, kind: 'sick', date: '2026-11-18', day_share: 0.5, amount_ms: null },
    { id: G, kind: 'vacation_grant', date: '2026-11-02', days: 2 },
  ],
  balance_adjustments: [{ id: A, kind: 'payout', effective_date: '2026-11-05', delta_ms: -HOUR_MS }],
  settings: [
    { effective_from: '2026-09-01', time_zone: 'Europe/Berlin', target_ms: hours, vacation: null },
    { effective_from: '2026-11-15', time_zone: 'Europe/Berlin', target_ms: hours, vacation: { days: 30 } },
  ],
  may_apply: false,
}
const settings = memberSettingsOf(records)
const listed = recordsByDate(records, settings.zone)
const at = '2026-11-21T12:00:00.000Z'
const recordOf = (id: string) => listed.find(({ record }) => record.id === id)
const changed = (id: string | undefined, edit: (form: HrForm) => Partial<HrForm>) => {
  const edited = id === undefined ? undefined : recordOf(id)
  const form = hrFormOf(edited, settings, '2026-11-20')
  return changeOfForm({ ...form, ...edit(form) }, { edited, settings, id: NEW, at })
}

test('HR sees the records of a month by the date that their person sees', () => {
  expect(listed.map(({ record, date }) => [record.id, date])).toEqual([
    [G, '2026-11-02'],
    [A, '2026-11-05'],
    [S, '2026-11-18'],
    [W, '2026-11-20'],
  ])
  expect(listed.map(shownEntryOf).map((entry) => entry?.kind)).toEqual(['vacation_grant', undefined, 'sick', 'work'])
  expect(firstDateIn('2026-11', '2026-11-21')).toBe('2026-11-21')
  expect(firstDateIn('2026-10', '2026-11-21')).toBe('2026-10-01')
})

test('[D28.2] a change of an entry has its times alone, in the zone of its person, and keeps seconds', () => {
  expect(changed(W, ({ entry }) => ({ entry: { ...entry, end: '09:00' } }))).toEqual({
    ok: true,
    change: {
      kind: 'entries',
      op: 'upsert',
      record: {
        ...{ id: W, updated_at: at, kind: 'work' },
        started_at: '2026-11-19T23:30:20.000Z',
        ended_at: '2026-11-20T08:00:00.000Z',
      },
    },
  })
  expect(changed(W, () => ({ subject: 'sick' }))).toMatchObject({
    change: { record: { id: W, kind: 'sick', date: '2026-11-20', day_share: 1, amount_ms: null } },
  })
  expect(changed(S, ({ entry }) => ({ entry: { ...entry, date: '2026-11-19' } }))).toMatchObject({
    change: { record: { id: S, kind: 'sick', date: '2026-11-19', day_share: 0.5 } },
  })
})

test('HR proposes new entries, vacation days, adjustments and working hours', () => {
  expect(changed(undefined, () => ({}))).toMatchObject({
    change: { record: { id: NEW, started_at: '2026-11-20T08:00:00.000Z', ended_at: '2026-11-20T16:00:00.000Z' } },
  })
  expect(changed(undefined, () => ({ subject: 'vacation_grant', days: 3 }))).toMatchObject({
    change: { kind: 'entries', record: { kind: 'vacation_grant', date: '2026-11-20', days: 3 } },
  })
  expect(changed(G, () => ({ days: 4 }))).toMatchObject({ change: { record: { id: G, days: 4 } } })
  const payout = { kind: 'payout' as const, isDeduction: true, amountMs: 2 * HOUR_MS }
  expect(changed(A, () => ({ adjustment: payout, reason: ' Paid out ' }))).toMatchObject({
    change: { kind: 'balance_adjustments', record: { id: A, delta_ms: -2 * HOUR_MS, reason: 'Paid out' } },
  })
  const half = hours.map((each) => each / 2)
  expect(changed(undefined, () => ({ subject: 'settings_history', date: '2026-12-01', targetMs: half }))).toMatchObject(
    {
      change: { record: { id: NEW, effective_from: '2026-12-01', target_ms: half, vacation: { days: 30 } } },
    },
  )
  expect(deletionOf(listed[0] as never, at)).toEqual({ kind: 'entries', op: 'delete', id: G, updated_at: at })
})

test('a form without an amount, an end or hours to begin with makes no proposal and says so', () => {
  expect(changed(undefined, () => ({ subject: 'balance_adjustments' }))).toEqual({ ok: false, problem: 'amount' })
  expect(changed(undefined, () => ({ subject: 'settings_history', date: '2026-08-01' }))).toEqual({
    ok: false,
    problem: 'noHours',
  })
  expect(changed(W, ({ entry }) => ({ entry: { ...entry, end: '' } }))).toEqual({ ok: false, problem: 'noTime' })
})
