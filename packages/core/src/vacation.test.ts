import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { identifiedEntriesOf } from './account.ts'
import { type Draft, type Entry, parseContent } from './record.ts'
import { buildTimeline } from './timeline.ts'
import { type VacationSettings, type VacationYear, vacationYear } from './vacation.ts'
import { HOUR_MS, type LocalDate, type RecordId } from './values.ts'

const row: VacationSettings = {
  id: '00000000-0000-4000-8000-000000000001',
  effective_from: '2025-01-01',
  time_zone: 'Europe/Berlin',
  target_ms: [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * HOUR_MS),
  break_policy: null,
  auto_close: null,
  vacation: { days_per_year: 30, carry_over_until: '03-31' },
}
const changedRow = (changed: Partial<VacationSettings>): VacationSettings => ({
  ...row,
  id: `00000000-0000-4000-8000-${String(changed.effective_from ?? 1)
    .replaceAll('-', '')
    .padStart(12, '0')}` as RecordId,
  ...changed,
})

let count = 0
function entry(draft: Draft<'entries'>): Entry {
  const parsed = parseContent('entries', draft)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  count += 1
  const id = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
  const at = '2026-01-01T00:00:00.000Z'
  return { ...parsed.value, id, created_at: at, updated_at: at, version: 1 } as Entry
}
const vacation = (date: LocalDate, more: object = {}) => entry({ kind: 'vacation', date, ...more } as Draft<'entries'>)
const grant = (date: LocalDate, days: number) => entry({ kind: 'vacation_grant', date, days })
/** Vacation on each of some days of a month. */
const days = (month: string, ...of: number[]) =>
  of.map((day) => vacation(`${month}-${String(day).padStart(2, '0')}` as LocalDate))

function account(
  year: number,
  entries: readonly Entry[] = [],
  { rows = [row], today = '2026-06-30' }: { rows?: VacationSettings[]; today?: LocalDate } = {},
): Omit<VacationYear, 'lines' | 'year'> | null {
  const found = vacationYear(identifiedEntriesOf(entries), buildTimeline(rows), today, year)
  if (!found) return null
  const { lines: _lines, year: _year, ...figures } = found
  return figures
}

const nothing = { granted: 0, carried: 0, taken: 0, planned: 0, expired: 0, expiring: null }

describe('entitlement', () => {
  test('[D17.1] a whole year is entitled to all days', () => {
    expect(account(2025)).toEqual({ ...nothing, entitled: 30, left: 30 })
  })

  test('[D17.1] an account that begins within a year is entitled to a twelfth for each full month', () => {
    const rows = [changedRow({ effective_from: '2025-07-01' })]
    expect(account(2025, [], { rows })).toMatchObject({ entitled: 15 })
    expect(account(2025, [], { rows: [changedRow({ effective_from: '2025-07-02' })] })).toMatchObject({
      entitled: 12.5,
    })
  })

  test('[D17.1] each month counts by the rule of its first day, and thirds of days are exact', () => {
    const part = { vacation: { days_per_year: 20, carry_over_until: null }, effective_from: '2025-05-01' } as const
    expect(account(2025, [], { rows: [row, changedRow(part)] })).toMatchObject({ entitled: 70 / 3 })
    const none = changedRow({ vacation: null, effective_from: '2025-10-02' })
    expect(account(2025, [], { rows: [row, none] })).toMatchObject({ entitled: 25 })
  })

  test('[D17.2] grants add days or take them off, from the year of their date on', () => {
    const entries = [grant('2025-01-01', 4.5), grant('2025-12-31', -1.25), grant('2024-12-31', 1)]
    expect(
      account(2025, entries, { rows: [changedRow({ vacation: { days_per_year: 30, carry_over_until: null } })] }),
    ).toMatchObject({ entitled: 30, granted: 3.25, carried: 1, left: 34.25 })
  })

  test('[D17.7] without a rule and without grants there is no vacation account', () => {
    expect(account(2024)).toBeNull()
    expect(account(2025, days('2025-08', 4), { rows: [changedRow({ vacation: null })] })).toBeNull()
    expect(account(2025, [grant('2025-03-01', 2)], { rows: [changedRow({ vacation: null })] })).toMatchObject({
      entitled: 0,
      left: 2,
    })
  })
})

describe('days taken', () => {
  test('[D17.3] days with planned time count, up to today as taken and later as planned', () => {
    const entries = days('2026-06', 26, 27, 28, 29, 30)
    expect(account(2026, [...entries, ...days('2026-07', 1, 2)], { rows: [row] })).toMatchObject({
      taken: 3,
      planned: 2,
    })
  })

  test('[D17.3] half days and hours take their share of the planned time', () => {
    const entries = [
      vacation('2025-03-03', { day_share: 0.5 }),
      vacation('2025-03-04', { amount_ms: 2 * HOUR_MS }),
      vacation('2025-03-05', { amount_ms: 1 }),
    ]
    expect(account(2025, entries)?.taken).toBeCloseTo(0.75 + 1 / (8 * HOUR_MS), 12)
  })

  test('[D17.3] illness and public holidays during vacation give the days back', () => {
    const entries = [
      ...days('2025-12', 22, 23, 24, 25, 26),
      entry({ kind: 'sick', date: '2025-12-22' }),
      entry({ kind: 'sick', date: '2025-12-23', day_share: 0.5 }),
      entry({ kind: 'public_holiday', date: '2025-12-25' }),
      entry({ kind: 'public_holiday', date: '2025-12-26' }),
    ]
    expect(account(2025, entries)).toMatchObject({ taken: 1.5 })
  })

  test('[D17.3] two entries on one date take at most a day', () => {
    expect(account(2025, [vacation('2025-03-03'), vacation('2025-03-03')])).toMatchObject({ taken: 1 })
  })
})

describe('carrying over', () => {
  const used = (count: number) =>
    days('2025-09', ...[1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 15, 16, 17, 18, 19].slice(0, count))

  test('[D17.4] days left are carried into the next year', () => {
    const rows = [changedRow({ vacation: { days_per_year: 30, carry_over_until: null } })]
    expect(account(2026, used(10), { rows })).toMatchObject({ carried: 20, expired: 0, left: 50, expiring: null })
    expect(account(2027, used(10), { rows })).toMatchObject({ carried: 50, left: 80 })
  })

  test('[D17.5] carried days that are not taken until the date of the rule expire after it', () => {
    const today = '2026-03-31'
    expect(account(2026, used(10), { today })).toMatchObject({
      carried: 20,
      expired: 0,
      left: 50,
      expiring: { days: 20, by: '03-31' },
    })
    expect(account(2026, used(10), { today: '2026-04-01' })).toMatchObject({ expired: 20, left: 30, expiring: null })
  })

  test('[D17.5] vacation takes carried days first', () => {
    const entries = [...used(10), ...days('2026-03', 30, 31), ...days('2026-04', 1, 2)]
    expect(account(2026, entries)).toMatchObject({ carried: 20, expired: 18, taken: 4, left: 30 - 2 })
  })

  test('[D17.5] days that will expire are not carried on', () => {
    expect(account(2026, used(10), { today: '2026-01-15' })).toMatchObject({ left: 50 })
    expect(account(2027, used(10), { today: '2026-01-15' })).toMatchObject({ carried: 30 })
  })

  test('[D17.4] days taken too many are carried on and never expire', () => {
    const rows = [changedRow({ vacation: { days_per_year: 5, carry_over_until: '03-31' } })]
    expect(account(2026, used(10), { rows })).toMatchObject({ carried: -5, expired: 0, left: 0 })
  })

  test('[D17.5] the last day of February is a date of every year', () => {
    const rows = [changedRow({ vacation: { days_per_year: 30, carry_over_until: '02-29' } })]
    const entries = [...used(10), ...days('2026-02', 27), ...days('2026-03', 2)]
    expect(account(2026, entries, { rows, today: '2026-03-01' })).toMatchObject({ expired: 19 })
    expect(account(2026, entries, { rows, today: '2026-02-28' })).toMatchObject({
      expired: 0,
      expiring: { days: 19, by: '02-29' },
    })
  })
})

test('[D17.6] the lines of a year are in order, name their entries and add up to what is left', () => {
  const entries = [...days('2025-09', 1), grant('2025-02-01', 2), ...days('2026-12', 1)]
  const found = vacationYear(identifiedEntriesOf(entries), buildTimeline([row]), '2026-06-30', 2026)
  expect(found?.lines.map(({ kind, date, days }) => `${date} ${kind} ${days}`)).toEqual([
    '2026-01-01 carried 31',
    '2026-01-01 entitled 30',
    '2026-03-31 expired -31',
    '2026-12-01 planned -1',
  ])
  expect(found?.lines.at(-1)?.entry_ids).toEqual([entries[2]?.id])
  expect(found?.left).toBe(29)
})

/** The vacation account, day after day with two purses: a model that shares nothing with the real one. */
function naive(entries: readonly Entry[], rows: readonly VacationSettings[], today: LocalDate, year: number) {
  const byDate = Map.groupBy(entries, (each) => each.date)
  const of = (kind: string, date: string) => (byDate.get(date) ?? []).filter((each) => each.kind === kind)
  const rowOn = (date: string) => rows.findLast(({ effective_from }) => effective_from <= date)
  const ruled = rows.filter((each) => each.vacation).map((each) => each.effective_from)
  const granted = entries.filter((each) => each.kind === 'vacation_grant').map((each) => String(each.date))
  const [first] = [...ruled, ...granted].sort()
  if (first === undefined) return 0
  let [carried, own, expiring] = [0, 0, 0]
  for (let day = Date.UTC(Number(first.slice(0, 4)), 0, 1); day < Date.UTC(year + 1, 0, 1); day += 24 * HOUR_MS) {
    const date = new Date(day).toISOString().slice(0, 10)
    const row = rowOn(date)
    if (date.endsWith('-01-01')) {
      // Days that will expire are not carried on.
      carried += own
      own = 0
      expiring = 0
    }
    if (date.endsWith('-01')) own += (row?.vacation?.days_per_year ?? 0) / 12
    own += of('vacation_grant', date).reduce((total, each) => total + Number(each.days), 0)
    const plannedMs = row?.target_ms[(new Date(day).getUTCDay() + 6) % 7] ?? 0
    if (plannedMs > 0) {
      const sizeOf = (each: Entry) =>
        each.amount_ms == null ? Number(each.day_share) : Number(each.amount_ms) / plannedMs
      const asked = (kind: string) => of(kind, date).reduce((total, each) => total + Math.min(1, sizeOf(each)), 0)
      const room = Math.max(0, 1 - asked('public_holiday') - asked('sick'))
      const used = Math.min(room, asked('vacation'))
      const ofCarried = Math.min(Math.max(carried, 0), used)
      carried -= ofCarried
      own -= used - ofCarried
    }
    const until = rowOn(`${date.slice(0, 4)}-01-01`)?.vacation?.carry_over_until
    if (until && date === `${date.slice(0, 4)}-${until}`) {
      if (date >= today) expiring = Math.max(carried, 0)
      carried = Math.min(carried, 0)
    }
  }
  return carried + own + expiring
}

test('[D17.1] [D17.2] [D17.3] [D17.4] [D17.5] [D17.6] any account agrees with a naive model', () => {
  const date = fc
    .integer({ min: 0, max: 900 })
    .map((day) => new Date(Date.UTC(2025, 0, 1) + day * 24 * HOUR_MS).toISOString().slice(0, 10) as LocalDate)
  const drafts = fc.oneof(
    fc.record({ kind: fc.constantFrom('vacation' as const, 'sick' as const, 'public_holiday' as const), date }),
    fc.record({ kind: fc.constant('vacation' as const), date, amount_ms: fc.integer({ min: 1, max: 24 * HOUR_MS }) }),
    fc.record({ kind: fc.constant('vacation_grant' as const), date, days: fc.constantFrom(-20, 0.5, 3) }),
  )
  const rule = fc.constantFrom(
    null,
    { days_per_year: 30, carry_over_until: '03-31' },
    { days_per_year: 7, carry_over_until: null },
    { days_per_year: 24.5, carry_over_until: '09-30' },
  )
  const given = fc.record({
    made: fc.array(drafts, { maxLength: 40 }),
    today: date,
    first: rule,
    second: rule,
    from: date.filter((changed) => changed > '2025-01-01'),
  })
  fc.assert(
    fc.property(given, ({ made, today, first, second, from }) => {
      const entries = made.map((draft) => entry(draft as Draft<'entries'>))
      const rows = [changedRow({ vacation: first }), changedRow({ vacation: second, effective_from: from })]
      for (const year of [2025, 2026, 2027]) {
        const found = vacationYear(identifiedEntriesOf(entries), buildTimeline(rows), today, year)
        expect(found?.left ?? 0).toBeCloseTo(naive(entries, rows, today, year), 5)
        if (!found) continue
        const { entitled, granted, carried, taken, planned, expired, left, lines } = found
        expect(lines.reduce((total, line) => total + line.days, 0)).toBeCloseTo(left, 9)
        expect(entitled + granted + carried - taken - planned - expired).toBeCloseTo(left, 9)
      }
    }),
  )
})
