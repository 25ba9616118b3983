import { readFileSync } from 'node:fs'
import {
  type Adjustment,
  addDays,
  breaksBetween,
  buildTimeline,
  computeDay,
  DAY_MS,
  type DateRange,
  dateAt,
  datesIn,
  type Entry,
  HOUR_MS,
  type LocalDate,
  MINUTE_MS,
  parseDelta,
  type Settings,
  totalLength,
  utcMidnight,
} from '@saldo/core'
import fc from 'fast-check'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { ledgerOf, ledgerRange } from '../queries/ledger.ts'
import { aClosedWeek, anAbsence, anAdjustment, aSettingsRow, aWork } from '../testing.ts'
import { lastCountedDate, type Sheet, type SheetFigures, type SheetRequest, sheetOf } from './sheet.ts'
import { plainSheetWords } from './sheet-words.ts'
import { sheetWorkbookOf } from './sheet-workbook.ts'
import type { ExportedAccount } from './tables.ts'
import { wholeMinutes } from './whole-minutes.ts'

interface SheetCase {
  name: string
  settings: { effective_from: LocalDate; time_zone: string; daily_target: string }[]
  entries: object[]
  adjustments: { effective_date: LocalDate; delta: string }[]
  range: DateRange
  counted_to: LocalDate
  /** Figures that may be rounded up or down are left out. */
  rows: (Partial<Record<FigureName, number>> & { date: LocalDate })[]
  totals: Partial<Record<FigureName, number>>
  adjustments_minutes: number[]
  balance_in: number
  balance_out: number
}
type FigureName = 'break' | 'worked' | 'credited' | 'target' | 'delta'

const { sheets } = JSON.parse(readFileSync(new URL('../../../../fixtures/sheets.json', import.meta.url), 'utf8')) as {
  sheets: SheetCase[]
}

const profile = { name: 'Ada Lovelace', personnel_number: '007', employer: 'Engines' }

function accountOf(
  settings: readonly Settings[],
  entries: readonly Entry[],
  adjustments: readonly Adjustment[],
  today: LocalDate,
): ExportedAccount {
  const timeline = buildTimeline(settings)
  const dates = [...datesIn(ledgerRange(timeline[0]?.effective_from, [], today))]
  return {
    timeline,
    entries,
    days: dates.map((date) => {
      return { date, state: 'open' as const, closed: null, forecast: computeDay(entries, timeline, date) }
    }),
    closedWeeks: [],
    adjustments: adjustments.map((record) => ({ record, pending: false })),
    today,
  }
}

const plain = { withProjects: false, withNotes: false, withHints: false }

function sheetIn(account: ExportedAccount, range: DateRange, changed: Partial<SheetRequest> = {}): Sheet {
  const countedTo = lastCountedDate(account)
  return sheetOf(account, { range, countedTo, profile, ...plain, ...changed })
}

function ms(text: string): number {
  const parsed = parseDelta(text)
  if (!parsed.ok) throw new Error(text)
  return parsed.deltaMs
}

function total(minutes: readonly number[]): number {
  return minutes.reduce((sum, more) => sum + more, 0)
}

test.each(sheets)('[D13.1] [D13.2] [D13.4] a sheet has the figures of $name', (expected) => {
  const named = (figures: SheetFigures) => ({
    break: figures.breakMinutes,
    worked: figures.workedMinutes,
    credited: figures.creditedMinutes,
    target: figures.targetMinutes,
    delta: figures.deltaMinutes,
  })
  const account = accountOf(
    expected.settings.map(({ daily_target, ...row }) =>
      aSettingsRow({ ...row, target_ms: Array.from({ length: 7 }, () => ms(daily_target)) }),
    ),
    expected.entries.map((content) => ({ ...aWork(0, null), ...content })),
    expected.adjustments.map(({ effective_date, delta }) => anAdjustment(effective_date, ms(delta))),
    addDays(expected.counted_to, 1),
  )
  const sheet = sheetIn(account, expected.range)
  const rows = sheet.days.flatMap(({ date, figures }) => (figures ? [{ date, ...named(figures) }] : []))
  expect(rows).toMatchObject(expected.rows)
  expect(named(sheet.totals)).toMatchObject(expected.totals)
  expect(sheet.adjustments.map(({ minutes }) => minutes)).toEqual(expected.adjustments_minutes)
  expect([sheet.balanceInMinutes, sheet.balanceOutMinutes]).toEqual([expected.balance_in, expected.balance_out])
})

const START = '2026-10-19'
const zones = ['Europe/Berlin', 'America/New_York', 'Pacific/Auckland'] as const
const startMs = utcMidnight(START)
const interval = fc
  .tuple(fc.integer({ min: -DAY_MS, max: 20 * DAY_MS }), fc.integer({ min: 0, max: 14 * HOUR_MS }), fc.boolean())
  .map(([from, length, isWork]) => {
    const kind = isWork ? 'work' : 'break'
    return aWork(startMs + from, startMs + from + length, { kind })
  })
const date = fc.integer({ min: -2, max: 22 }).map((days) => addDays(START, days))
const absence = fc
  .tuple(fc.constantFrom('vacation', 'sick', 'paid_other', 'public_holiday'), date, fc.constantFrom(1, 0.5, 1 / 3))
  .map(([kind, day, share]) => anAbsence(kind as 'sick', day, share))
const adjustment = fc
  .tuple(date, fc.integer({ min: -40 * HOUR_MS, max: 40 * HOUR_MS }))
  .map(([day, delta]) => anAdjustment(day, delta === 0 ? 1 : delta))
const settings = fc
  .tuple(fc.constantFrom(...zones), fc.integer({ min: 0, max: 12 * HOUR_MS }), fc.boolean())
  .map(([time_zone, target, hasBreaks]) =>
    aSettingsRow({
      effective_from: START,
      time_zone,
      target_ms: [target, target, target, target, 27_000_001, 0, 0],
      break_policy: hasBreaks
        ? { rules: [{ worked_above_ms: 6 * HOUR_MS, required_ms: 30 * MINUTE_MS }], min_piece_ms: 15 * MINUTE_MS }
        : null,
    }),
  )
const anyAccount = fc.record({
  settings,
  entries: fc.array(fc.oneof(interval, interval, absence), { maxLength: 25 }),
  adjustments: fc.array(adjustment, { maxLength: 4 }),
  today: fc.integer({ min: 0, max: 30 }).map((days) => addDays(START, days)),
  range: fc
    .tuple(fc.integer({ min: -4, max: 20 }), fc.integer({ min: 0, max: 20 }))
    .map(([from, length]): DateRange => ({ from: addDays(START, from), to: addDays(START, from + length) })),
})

test('[D13.2] [D13.3] [D13.4] everything on a sheet adds up, and nothing is a minute off', () => {
  fc.assert(
    fc.property(anyAccount, ({ settings: row, entries, adjustments, today, range }) => {
      const account = accountOf([row], entries, adjustments, today)
      const sheet = sheetIn(account, range)
      const counted = sheet.days.flatMap(({ figures }) => figures ?? [])
      for (const { workedMinutes, creditedMinutes, targetMinutes, deltaMinutes } of [...counted, sheet.totals]) {
        expect(workedMinutes + creditedMinutes - targetMinutes).toBe(deltaMinutes)
      }
      for (const name of Object.keys(sheet.totals) as (keyof SheetFigures)[]) {
        expect(total(counted.map((figures) => figures[name]))).toBe(sheet.totals[name])
      }
      const adjusted = total(sheet.adjustments.map(({ minutes }) => minutes))
      expect(sheet.balanceInMinutes + sheet.totals.deltaMinutes + adjusted).toBe(sheet.balanceOutMinutes)
      for (const { date: day, figures, blocks } of sheet.days) {
        if (!figures) continue
        const exact = computeDay(entries, account.timeline, day)
        const isRounded = (minutes: number, exactMs: number) => Math.abs(minutes - exactMs / MINUTE_MS) < 1
        expect(isRounded(figures.workedMinutes, exact.worked_ms - exact.deducted_break_ms)).toBe(true)
        expect(isRounded(figures.creditedMinutes, exact.credited_ms)).toBe(true)
        expect(isRounded(figures.targetMinutes, exact.target_ms)).toBe(true)
        expect(isRounded(figures.deltaMinutes, exact.delta_ms)).toBe(true)
        expect(totalLength(blocks)).toBe(exact.worked_ms)
        expect(isRounded(figures.breakMinutes, breaksBetween(blocks) + exact.deducted_break_ms)).toBe(true)
      }
    }),
  )
})

test('[D13.4] both balances are those of the account at the end of their dates', () => {
  fc.assert(
    fc.property(anyAccount, ({ settings: row, entries, adjustments, today, range }) => {
      const account = accountOf([row], entries, adjustments, today)
      const sheet = sheetIn(account, range)
      const { curve } = ledgerOf(account.days, [], account.adjustments, today)
      const balanceOn = (end: LocalDate) => {
        const last = end < today ? end : addDays(today, -1)
        return wholeMinutes(curve.findLast((point) => point.date <= last)?.balanceMs ?? 0)
      }
      expect(sheet.balanceInMinutes).toBe(balanceOn(addDays(range.from, -1)))
      expect(sheet.balanceOutMinutes).toBe(balanceOn(range.to))
      const next = sheetIn(account, { from: addDays(range.to, 1), to: addDays(range.to, 5) })
      expect(next.balanceInMinutes).toBe(sheet.balanceOutMinutes)
    }),
  )
})

const at = (time: string) => Date.parse(`2026-10-${time}`)
const berlin = aSettingsRow({ effective_from: '2026-10-01' })
const october = { from: '2026-10-01', to: '2026-10-31' } as const
const dayOf = (sheet: Sheet, day: LocalDate) => sheet.days.find((other) => other.date === day)

test('[D13.1] the night of a clock change has its real length, and its day says so', () => {
  const shift = aWork(at('24T22:00:00+02:00'), at('25T06:00:00+01:00'))
  const sheet = sheetIn(accountOf([berlin], [shift], [], '2026-11-01'), october)
  expect(dayOf(sheet, '2026-10-24')).toMatchObject({ hasClockChange: false, figures: { workedMinutes: 120 } })
  expect(dayOf(sheet, '2026-10-25')).toMatchObject({ hasClockChange: true, figures: { workedMinutes: 420 } })
  expect(dayOf(sheet, '2026-10-25')?.blocks).toEqual([{ start: at('25T00:00:00+02:00'), end: at('25T06:00:00+01:00') }])
})

test('[D13.1] a running entry counts nothing and is named on the day on which it began', () => {
  const done = aWork(at('20T08:00:00+02:00'), at('20T10:00:00+02:00'))
  const running = aWork(at('20T11:00:00+02:00'), null)
  const sheet = sheetIn(accountOf([berlin], [done, running], [], '2026-11-01'), october)
  expect(dayOf(sheet, '2026-10-20')).toMatchObject({
    runningSince: at('20T11:00:00+02:00'),
    figures: { workedMinutes: 120, breakMinutes: 0 },
  })
  expect(dayOf(sheet, '2026-10-21')).toMatchObject({ runningSince: null, blocks: [] })
  const later = aWork(at('20T12:00:00+02:00'), null)
  for (const entries of [
    [running, later],
    [later, running],
  ]) {
    const several = sheetIn(accountOf([berlin], entries, [], '2026-11-01'), october)
    expect(dayOf(several, '2026-10-20')?.runningSince).toBe(at('20T11:00:00+02:00'))
  }
})

test('[D13.1] a recorded break divides work, and overlapping work is one block', () => {
  const entries = [
    aWork(at('20T08:00:00+02:00'), at('20T13:00:00+02:00'), { project: 'Engine', note: 'gears' }),
    aWork(at('20T12:00:00+02:00'), at('20T16:00:00+02:00'), { project: 'Engine', note: ' proof ' }),
    aWork(at('20T12:15:00+02:00'), at('20T12:45:00+02:00'), { kind: 'break' }),
    { ...anAbsence('vacation', '2026-10-20', 0.5), note: 'dentist' },
  ]
  const account = accountOf([berlin], entries, [], '2026-11-01')
  const plain = dayOf(sheetIn(account, october), '2026-10-20')
  expect(plain?.blocks).toEqual([
    { start: at('20T08:00:00+02:00'), end: at('20T12:15:00+02:00') },
    { start: at('20T12:45:00+02:00'), end: at('20T16:00:00+02:00') },
  ])
  expect(plain).toMatchObject({ projects: [], notes: [], figures: { breakMinutes: 30 } })
  expect(plain?.absences).toEqual([{ kind: 'vacation', size: { day_share: 0.5, amount_ms: null }, note: '' }])
  const full = dayOf(sheetIn(account, october, { withNotes: true, withProjects: true }), '2026-10-20')
  expect(full).toMatchObject({ projects: ['Engine'], notes: ['gears', 'proof'], absences: [{ note: 'dentist' }] })
})

test('[D13.7] hints are on a sheet by choice, for days that count, and see work before its range', () => {
  const late = aWork(at('19T14:00:00+02:00'), at('19T23:00:00+02:00'))
  const early = aWork(at('20T08:00:00+02:00'), at('20T10:00:00+02:00'))
  const today = aWork(at('21T08:00:00+02:00'), at('21T15:00:00+02:00'))
  const account = accountOf([{ ...berlin, hints: 'de' }], [late, early, today], [], '2026-10-21')
  const range = { from: '2026-10-20', to: '2026-10-21' } as const
  const hintsOf = (withHints: boolean) => sheetIn(account, range, { withHints }).days.map(({ hints }) => hints)
  expect(hintsOf(false)).toEqual([[], []])
  expect(hintsOf(true)).toEqual([[{ code: 'short_rest', amountMs: 9 * HOUR_MS }], []])
})

test('[D13.1] days before the account are outside, and days that are not over have no figures', () => {
  const work = aWork(at('20T08:00:00+02:00'), at('20T10:00:00+02:00'))
  const sheet = sheetIn(accountOf([berlin], [work], [], '2026-10-20'), { from: '2026-09-30', to: '2026-10-21' })
  expect(dayOf(sheet, '2026-09-30')).toMatchObject({ state: 'outside', figures: null })
  expect(dayOf(sheet, '2026-10-19')).toMatchObject({ state: 'counted', figures: { deltaMinutes: -480 } })
  expect(dayOf(sheet, '2026-10-20')).toMatchObject({ state: 'open', figures: null, blocks: [{}] })
})

test('[D13.5] the digest changes with what is on the sheet, and with nothing else', () => {
  const work = aWork(at('20T08:00:00+02:00'), at('20T10:00:00+02:00'), { note: 'gears', project: 'Engine' })
  const account = accountOf([berlin], [work], [], '2026-10-28')
  const { digest } = sheetIn(account, october)
  expect(digest).toMatch(/^[0-9a-f]{16}$/)
  const withRecords = (entries: Entry[], adjustments: Adjustment[] = [], today: LocalDate = '2026-10-28') =>
    sheetIn(accountOf([berlin], entries, adjustments, today), october, { countedTo: '2026-10-27' }).digest
  expect(withRecords([{ ...work, note: 'secret', version: 9 }])).toBe(digest)
  // Later days do not count yet.
  expect(withRecords([work, aWork(at('28T08:00:00+01:00'), at('28T10:00:00+01:00'))], [], '2026-10-30')).toBe(digest)
  const changes = [
    withRecords([{ ...work, started_at: '2026-10-20T06:30:00.000Z' }]),
    // The same length at another time.
    withRecords([aWork(at('20T09:00:00+02:00'), at('20T11:00:00+02:00'))]),
    withRecords([work, aWork(at('02T08:00:00+02:00'), at('02T08:01:00+02:00'))]),
    withRecords([work], [anAdjustment('2026-10-05', HOUR_MS)]),
    sheetIn(account, october, { withNotes: true }).digest,
    sheetIn(account, october, { withProjects: true }).digest,
    sheetIn(account, october, { profile: { ...profile, name: 'Grace Hopper' } }).digest,
  ]
  expect(new Set([digest, ...changes]).size).toBe(changes.length + 1)
})

test('[D13.4] a change before the range changes the balance carried in', () => {
  const work = aWork(at('20T08:00:00+02:00'), at('20T18:00:00+02:00'))
  const account = accountOf([berlin], [work], [], '2026-11-10')
  const november = { from: '2026-11-01', to: '2026-11-30' } as const
  expect(dateAt(account.timeline, at('20T08:00:00+02:00'))).toBe('2026-10-20')
  const [before, after] = [sheetIn(account, november), sheetIn({ ...account, days: account.days.slice(1) }, november)]
  expect(after.balanceInMinutes - before.balanceInMinutes).toBe(480)
})

test('[D13.2] [D13.4] a workbook has real dates and durations, and formulas that add up', async () => {
  const entries = [
    aWork(at('20T08:00:00+02:00'), at('20T12:00:00+02:00'), { note: '=HYPERLINK("https://example.org")' }),
    aWork(at('20T20:00:00+02:00'), at('21T00:00:00+02:00')),
    anAbsence('sick', '2026-10-22'),
  ]
  const account = accountOf([berlin], entries, [anAdjustment('2026-10-21', HOUR_MS)], '2026-11-01')
  const sheet = sheetIn(account, { from: '2026-10-20', to: '2026-10-22' }, { withNotes: true })
  const blob = await sheetWorkbookOf(sheet, plainSheetWords(sheet, 42))
  const files = unzipSync(new Uint8Array(await blob.arrayBuffer()))
  const xml = strFromU8(files['xl/worksheets/sheet1.xml'] as Uint8Array)
  // Line 7 has the balance carried in; 46315 days after 30 December 1899 is 20 October 2026.
  expect(xml).toMatch(/r="H7"[^>]*><v>-104<\/v>/)
  expect(xml).toMatch(/r="A8"[^>]*><v>46315<\/v>/)
  expect(xml).toMatch(/r="C8"[^>]*><v>0.5<\/v>/)
  expect(xml).toMatch(/r="C9"[^>]*><v>1<\/v>/)
  expect(xml).toContain('<f>24*(E8+F8-G8)</f>')
  expect(xml).toContain('<f>SUM(E8:E11)</f>')
  expect(xml).toContain('<f>SUM(H7:H12)</f>')
  expect(xml).not.toContain('<f>=')
  expect(strFromU8(files['xl/sharedStrings.xml'] as Uint8Array)).toContain('HYPERLINK')
})

test('[D13.1] the remarks of a day come in the order of its times, whatever the order of the entries', () => {
  const early = aWork(at('20T08:00:00+02:00'), at('20T09:00:00+02:00'), { project: 'b', note: 'first' })
  const late = aWork(at('20T10:00:00+02:00'), at('20T11:00:00+02:00'), { project: 'a', note: 'second' })
  const again = aWork(at('20T12:00:00+02:00'), at('20T13:00:00+02:00'), { project: 'b', note: 'first' })
  const [sick, vacation] = [anAbsence('sick', '2026-10-20', 0.5), anAbsence('vacation', '2026-10-20', 0.5)]
  const choices = { withNotes: true, withProjects: true }
  for (const entries of [
    [early, late, again, sick, vacation],
    [again, vacation, late, sick, early],
  ]) {
    const sheet = sheetIn(accountOf([berlin], entries, [], '2026-11-01'), october, choices)
    expect(dayOf(sheet, '2026-10-20')).toMatchObject({
      projects: ['b', 'a'],
      notes: ['first', 'second'],
      absences: [{ kind: 'sick' }, { kind: 'vacation' }],
    })
  }
})

test('[D13.1] [D13.4] a day outside the account has no hints and is in no balance, whatever its entries are', () => {
  const long = aWork(at('20T08:00:00+02:00'), at('20T20:00:00+02:00'))
  const account = accountOf([{ ...berlin, hints: 'de' }], [long], [], '2026-11-10')
  const days = account.days.map((day) => (day.date === '2026-10-20' ? { ...day, state: 'outside' as const } : day))
  const [before, after] = [account, { ...account, days }]
  const hintsOf = (whose: ExportedAccount) => dayOf(sheetIn(whose, october, { withHints: true }), '2026-10-20')?.hints
  expect([hintsOf(before)?.length, hintsOf(after)]).toEqual([expect.any(Number), []])
  expect(hintsOf(before)).not.toEqual([])
  const november = { from: '2026-11-01', to: '2026-11-30' } as const
  const balanceIn = (whose: ExportedAccount) => sheetIn(whose, november).balanceInMinutes
  const counted = account.days.find(({ date }) => date === '2026-10-20')?.forecast.delta_ms ?? 0
  expect((balanceIn(before) - balanceIn(after)) * MINUTE_MS).toBe(counted)
})

test('[D13.1] a break names no project of its day', () => {
  const work = aWork(at('20T08:00:00+02:00'), at('20T12:00:00+02:00'), { project: 'Engine' })
  const pause = aWork(at('20T12:00:00+02:00'), at('20T12:30:00+02:00'), { kind: 'break', project: 'Lunch' })
  const sheet = sheetIn(accountOf([berlin], [work, pause], [], '2026-11-01'), october, { withProjects: true })
  expect(dayOf(sheet, '2026-10-20')).toMatchObject({ projects: ['Engine'] })
})

test('[D13.4] adjustments of the first and the last date of a range are on its sheet, in the order of dates', () => {
  const dates = ['2026-10-31', '2026-09-30', '2026-10-01', '2026-11-01'] as const
  const adjustments = dates.map((date, index) => anAdjustment(date, (index + 1) * HOUR_MS))
  const sheet = sheetIn(accountOf([berlin], [], adjustments, '2026-11-10'), october)
  expect(sheet.adjustments.map(({ date, minutes }) => [date, minutes])).toEqual([
    ['2026-10-01', 180],
    ['2026-10-31', 60],
  ])
  expect(sheet.balanceInMinutes).toBe(120)
  const early = sheetIn(accountOf([berlin], [], adjustments, '2026-10-31'), october)
  expect(early.adjustments.map(({ date }) => date)).toEqual(['2026-10-01'])
})

test('[D13.1] days count up to yesterday, or to the end of the last closed week', () => {
  const account = accountOf([berlin, aSettingsRow({ effective_from: '2026-10-12' })], [], [], '2026-10-21')
  expect(lastCountedDate(account)).toBe('2026-10-20')
  expect(lastCountedDate({ ...account, closedWeeks: [aClosedWeek('2026-W43', 0)] })).toBe('2026-10-25')
  expect(lastCountedDate({ ...account, closedWeeks: [aClosedWeek('2026-W42', 0)] })).toBe('2026-10-20')
})
