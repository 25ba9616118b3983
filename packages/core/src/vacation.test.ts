import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFixture } from '../test/fixtures.ts'
import { runsOf } from '../test/tier.ts'
import { identifiedEntriesOf } from './account-function.ts'
import { addDays } from './date.ts'
import { parseDelta } from './delta.ts'
import type { Entry } from './entry.ts'
import { type ContentInput, parseContent } from './record.ts'
import { buildTimeline } from './timeline.ts'
import { type VacationSettings, vacationOn, vacationSteps, vacationYear } from './vacation.ts'
import { HOUR_MS, type LocalDate, MINUTE_MS, type RecordId } from './values.ts'

/** Days are texts such as `12.5` or `70/3`. */
interface Vectors {
  vacation: {
    cases: {
      name: string
      settings: { effective_from: LocalDate; vacation: VacationSettings['vacation']; daily_target?: string }[]
      entries: ContentInput<'entries'>[]
      today?: LocalDate
      year: number
      account:
        | (Record<'entitled' | 'granted' | 'carried' | 'taken' | 'planned' | 'expired' | 'left', string> & {
            expiring: { days: string; by: string } | null
          })
        | null
    }[]
  }
}
const { cases } = readFixture<Vectors['vacation']>('vacation')

function fraction(text: string): number {
  const [numerator, denominator = '1'] = text.split('/')
  return Number(numerator) / Number(denominator)
}

function msOf(text: string): number {
  const parsed = parseDelta(text)
  if (!parsed.ok) throw new Error(`a fixture has the time ${text}`)
  return parsed.deltaMs
}

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
function entry(input: ContentInput<'entries'>): Entry {
  const parsed = parseContent('entries', input)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  count += 1
  const id = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
  const at = '2026-01-01T00:00:00.000Z'
  return { ...parsed.value, id, created_at: at, updated_at: at, version: 1 } as Entry
}
const vacation = (date: LocalDate, more: object = {}) => entry({ kind: 'vacation', date, ...more })
const grant = (date: LocalDate, days: number) => entry({ kind: 'vacation_grant', date, days })
/** Vacation on each of some days of a month. */
const days = (month: string, ...of: number[]) =>
  of.map((day) => vacation(`${month}-${String(day).padStart(2, '0')}` as LocalDate))

test.each(cases)('[D17.1] [D17.2] [D17.3] [D17.4] [D17.5] [D17.7] $name', (vector) => {
  const rows = vector.settings.map(({ daily_target = '8:00', ...changed }, index) => {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}` as RecordId
    return { ...changedRow(changed), id, target_ms: [1, 1, 1, 1, 1, 0, 0].map((days) => days * msOf(daily_target)) }
  })
  // A case without `today` holds on this date and later.
  for (const today of vector.today === undefined ? (['2026-06-30', '2030-01-01'] as const) : [vector.today]) {
    const found = vacationYear(identifiedEntriesOf(vector.entries.map(entry)), buildTimeline(rows), today, vector.year)
    if (vector.account === null) {
      expect(found).toBeNull()
      continue
    }
    const { expiring, ...days } = vector.account
    for (const [name, text] of Object.entries(days)) {
      expect(found?.[name as keyof typeof days], name).toBeCloseTo(fraction(text), 12)
    }
    expect(found?.expiring).toEqual(expiring && { ...expiring, days: fraction(expiring.days) })
  }
})

test('[D17.3] a millisecond of vacation is no rounded share', () => {
  const account = vacationYear(
    identifiedEntriesOf([vacation('2025-03-05', { amount_ms: 1 })]),
    buildTimeline([row]),
    '2026-06-30',
    2025,
  )
  expect(account?.taken).toBeCloseTo(1 / (8 * HOUR_MS), 15)
})

test('[D17.3] [D17.6] hours of vacation that add up to whole days leave nothing over', () => {
  const rows = [changedRow({ target_ms: [492, 492, 492, 492, 492, 0, 0].map((minutes) => minutes * MINUTE_MS) })]
  // Shares of 10/41, 10/41 and 21/41.
  const hours = [120, 120, 252].map((minutes, index) =>
    vacation(addDays('2026-03-02', index), { amount_ms: minutes * MINUTE_MS }),
  )
  const entries = [...hours, grant('2025-06-01', -29)]
  const account = vacationYear(identifiedEntriesOf(entries), buildTimeline(rows), '2026-03-10', 2026)
  expect(account).toMatchObject({ carried: 1, taken: 1, left: 30, expiring: null })
})

/** Vacation of a millisecond on each of many dates, whose planned times have no common divisor. */
function manyDivisors() {
  const primes: number[] = []
  for (let number = 86_399_999; primes.length < 448; number -= 2) {
    if (!primes.some((prime) => number % prime === 0) && isPrime(number)) primes.push(number)
  }
  const rows = Array.from({ length: 8 }, (_, index) =>
    changedRow({
      effective_from: addDays('2025-01-06', 56 * index),
      target_ms: primes.slice(56 * index, 56 * (index + 1)),
    }),
  )
  const entries = primes.map((_, index) => vacation(addDays('2025-01-06', index), { amount_ms: 1 }))
  return { entries: identifiedEntriesOf(entries), timeline: buildTimeline(rows) }
}

function isPrime(odd: number): boolean {
  for (let divisor = 3; divisor * divisor <= odd; divisor += 2) if (odd % divisor === 0) return false
  return true
}

test('[D17.3] [D17.6] the account of any planned times has finite numbers, in any order of entries the same', () => {
  const { entries, timeline } = manyDivisors()
  const found = vacationYear(entries, timeline, '2030-01-01', 2026)
  const lines = found?.lines.filter(({ kind }) => kind === 'taken') ?? []
  expect(lines.length).toBeGreaterThan(80)
  expect(lines.reduce((total, { days }) => total - days, 0)).toBeCloseTo(found?.taken ?? Number.NaN, 12)
  expect(found?.left).toBeCloseTo(30, 5)
  expect(vacationYear(entries.toReversed(), timeline, '2030-01-01', 2026)).toEqual(found)
})

test('[D1.37] the account of the last year takes a step for each year, which reads few settings rows', () => {
  let reads = 0
  const rows = Array.from({ length: 500 }, (_, index) => {
    const { effective_from, ...fields } = changedRow({ effective_from: addDays('2025-01-06', index) })
    return Object.defineProperty({ ...fields }, 'effective_from', {
      get: () => {
        reads += 1
        return effective_from
      },
    }) as VacationSettings
  })
  const steps = vacationSteps(identifiedEntriesOf([grant('0001-01-01', 1)]), rows, '2026-06-30', 9_999)
  let [count, most] = [0, 0]
  for (let step = steps.next(); !step.done; step = steps.next()) {
    count += 1
    most = Math.max(most, reads)
    reads = 0
  }
  expect(count).toBeGreaterThan(9_998)
  expect(count).toBeLessThan(10_010)
  // Years in which rows begin look at each of them once a month.
  expect(most).toBeLessThan(13 * 500)
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

test('[D17.5] days that expire on 29 February have a line of a date that the year has', () => {
  const rows = [changedRow({ vacation: { days_per_year: 12, carry_over_until: '02-29' } })]
  const datesIn = (year: number) =>
    vacationYear([], buildTimeline(rows), '2030-01-01', year)
      ?.lines.filter(({ kind }) => kind === 'expired')
      .map(({ date }) => date)
  expect([2026, 2028].flatMap(datesIn)).toEqual(['2026-02-28', '2028-02-29'])
})

test('[D17.6] the lines of granted and taken days name their entries', () => {
  const entries = [grant('2026-02-01', 2), grant('2026-02-02', -1), ...days('2026-03', 2, 3), ...days('2026-12', 1)]
  const found = vacationYear(identifiedEntriesOf(entries), buildTimeline([row]), '2026-06-30', 2026)
  const named = found?.lines.filter(({ kind }) => kind !== 'carried' && kind !== 'entitled' && kind !== 'expired')
  expect(named?.map(({ kind, entry_ids }) => [kind, entry_ids])).toEqual([
    ['granted', [entries[0]?.id]],
    ['granted', [entries[1]?.id]],
    ['taken', [entries[2]?.id]],
    ['taken', [entries[3]?.id]],
    ['planned', [entries[4]?.id]],
  ])
  const others = found?.lines.filter((line) => !named?.includes(line))
  expect(others?.flatMap(({ entry_ids }) => entry_ids)).toEqual([])
})

test('[D17.3] the vacation of a date is that of its own entries', () => {
  const half = { day_share: 0.5, amount_ms: null }
  const entries = [vacation('2026-03-02'), vacation('2026-03-03', half), vacation('2026-03-07')]
  const on = (date: LocalDate) => vacationOn(entries, buildTimeline([row]), date)
  expect((['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-07'] as const).map(on)).toEqual([1, 0.5, 0, 0])
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
    const ofMonth = Array.from({ length: 31 }, (_, index) => `${date.slice(0, 8)}${String(index + 1).padStart(2, '0')}`)
    const isWhole = ofMonth.every((other) => rowOn(other)?.vacation)
    if (date.endsWith('-01') && isWhole) own += (row?.vacation?.days_per_year ?? 0) / 12
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
  const inputs = fc.oneof(
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
    made: fc.array(inputs, { maxLength: 40 }),
    today: date,
    first: rule,
    second: rule,
    from: date.filter((changed) => changed > '2025-01-01'),
  })
  fc.assert(
    fc.property(given, ({ made, today, first, second, from }) => {
      const entries = made.map((input) => entry(input as ContentInput<'entries'>))
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
    { numRuns: runsOf(30, 100) },
  )
})
