import fc from 'fast-check'
import { absenceKinds, timedEntryKinds } from '../src/choices.ts'
import type { AbsenceContent, AbsenceSize, EntryContent, TimedEntryContent } from '../src/entry.ts'
import { instantOf } from '../src/instant.ts'
import type { Json } from '../src/json.ts'
import type { AccountSettings } from '../src/timeline.ts'
import { DAY_MS, HOUR_MS, type LocalDate, type RecordId } from '../src/values.ts'

/** Zones that skip or repeat dates and midnights, shift by half hours, move with Ramadan, or lie at the date line. */
export const oddZones = [
  'Pacific/Apia',
  'Pacific/Pago_Pago',
  'Pacific/Kiritimati',
  'Pacific/Kwajalein',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'America/Santiago',
  'America/Havana',
  'America/St_Johns',
  'Africa/Cairo',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Asia/Manila',
  'America/Juneau',
  'Europe/Berlin',
  'Etc/GMT+12',
  'Etc/GMT-14',
  'UTC',
]

export const zone = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...oddZones) },
  { weight: 1, arbitrary: fc.constantFrom(...Intl.supportedValuesOf('timeZone')) },
)

/** Dates from `from` to `to`, both included. */
export function dateBetween(from: LocalDate, to: LocalDate): fc.Arbitrary<LocalDate> {
  const first = Date.parse(from)
  return fc.nat((Date.parse(to) - first) / DAY_MS).map((days) => isoDate(first + days * DAY_MS))
}

/** Dates about which zones are at odds, or any other of `from` to `to`. */
export function oddDateBetween(from: LocalDate, to: LocalDate): fc.Arbitrary<LocalDate> {
  const odd = [
    '2011-12-30',
    '1993-08-21',
    '2026-03-29',
    '2026-10-25',
    '2026-09-06',
    '2006-10-29',
    '2025-02-23',
  ] as const
  const within = [...odd, '1893-04-01' as const, '1867-10-18' as const].filter((date) => date >= from && date <= to)
  const near = fc
    .tuple(fc.constantFrom(...within), fc.integer({ min: -2, max: 2 }))
    .map(([date, days]) => plus(date, days))
  return fc.oneof(near, dateBetween(from, to))
}

function isoDate(ms: number): LocalDate {
  return new Date(ms).toISOString().slice(0, 10) as LocalDate
}

/** The date `days` after `date`, reckoned apart from the code under test. */
export function plus(date: LocalDate, days: number): LocalDate {
  return isoDate(Date.parse(date) + days * DAY_MS)
}

const minutes = (max: number) => fc.nat(max).map((count) => count * 60_000)

export const breakPolicy = fc.record(
  {
    rules: fc.array(
      fc.record({ worked_above_ms: minutes(12 * 60), required_ms: minutes(120) }, { noNullPrototype: true }),
      { maxLength: 4 },
    ),
    min_piece_ms: fc.oneof(fc.constant(0), minutes(60)),
  },
  { noNullPrototype: true },
)

/** The targets of one to eight weeks. */
function rotation(target: fc.Arbitrary<number>): fc.Arbitrary<number[]> {
  const week = fc.array(target, { minLength: 7, maxLength: 7 })
  const weeks = fc.oneof({ weight: 2, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 8 }))
  return weeks.chain((length) => fc.array(week, { minLength: length, maxLength: length })).map((all) => all.flat())
}

export function settingsRow(effectiveFrom: fc.Arbitrary<LocalDate>, zones: fc.Arbitrary<string> = zone) {
  const target = fc.oneof(fc.constantFrom(0, 7, 8 * HOUR_MS), fc.nat(DAY_MS))
  return fc.record<AccountSettings>(
    {
      id: fc.uuid() as fc.Arbitrary<RecordId>,
      effective_from: effectiveFrom,
      time_zone: zones,
      target_ms: rotation(target),
      break_policy: fc.option(breakPolicy),
      auto_close: fc.constant(null),
    },
    { noNullPrototype: true },
  )
}

/** Settings rows of which the later ones lie within two weeks of `date` and one long before it. */
export function settingsAround(date: LocalDate, zones: fc.Arbitrary<string> = zone): fc.Arbitrary<AccountSettings[]> {
  const nearby = fc.integer({ min: -7, max: 7 }).map((days) => plus(date, days))
  return fc
    .tuple(settingsRow(fc.constant(plus(date, -400)), zones), fc.array(settingsRow(nearby, zones), { maxLength: 5 }))
    .map(([first, others]) => [first, ...others])
}

const plain = { time_zone: null, note: '', tags: [], project: null, source: null, import_ref: null }

/** Work and breaks within `days` days of a date, on whole multiples of `unitMs`. */
export function timedEntry(date: LocalDate, unitMs = 1, days = 3): fc.Arbitrary<TimedEntryContent> {
  const from = Math.ceil((Date.parse(date) - days * DAY_MS) / unitMs)
  const length = fc.oneof(fc.nat(10 * HOUR_MS), fc.nat(3 * DAY_MS), fc.constant(0), fc.constant(HOUR_MS))
  return fc
    .tuple(fc.constantFrom(...timedEntryKinds), fc.nat(Math.floor((2 * days * DAY_MS) / unitMs)), length, fc.nat(5))
    .map(([kind, offset, lengthMs, chance]) => {
      const start = (from + offset) * unitMs
      return timed(kind, start, start + Math.floor(lengthMs / unitMs) * unitMs, chance > 0)
    })
}

/** A timed entry; `counts` matters for work only. */
export function timed(kind: 'work' | 'break', startMs: number, endMs: number | null, counts = true): TimedEntryContent {
  const times = { started_at: instantOf(startMs), ended_at: endMs === null ? null : instantOf(endMs) }
  return kind === 'work' ? { kind, ...times, ...plain, counts } : { kind, ...times, ...plain }
}

/** A share of a day with at most nine decimals. */
const share = fc.oneof(
  fc.constantFrom(1, 0.5, 0.25, 0.75, 0.333333333, 0.1, 0.000000001),
  fc.integer({ min: 1, max: 1e9 }).map((billionths) => billionths / 1e9),
)

/** The size of an absence: a share of the day, or an amount of time. */
export const absenceSize: fc.Arbitrary<AbsenceSize> = fc.oneof(
  share.map((day_share) => ({ day_share, amount_ms: null })),
  fc
    .oneof(fc.constantFrom(1, 3, 90 * 60_000, 8 * HOUR_MS, DAY_MS), fc.integer({ min: 1, max: DAY_MS }))
    .map((amount_ms) => ({ day_share: null, amount_ms })),
)

/** Absences on the dates from a day before to a day after `date`. */
export function absence(date: LocalDate): fc.Arbitrary<AbsenceContent> {
  return fc
    .tuple(fc.constantFrom(...absenceKinds), fc.integer({ min: -1, max: 1 }), absenceSize)
    .map(([kind, days, size]) => ({ kind, date: plus(date, days), ...size, ...plain }))
}

export function entriesAround(date: LocalDate, unitMs = 1): fc.Arbitrary<EntryContent[]> {
  return fc
    .tuple(fc.array(timedEntry(date, unitMs), { maxLength: 8 }), fc.array(absence(date), { maxLength: 4 }))
    .map(([work, absences]) => [...work, ...absences])
}

/**
 * Any character of Unicode but the backslash: in the names of fields V8 mixes that up with what it escapes
 * (nodejs/node#63785). fast-check's own unit `binary` takes two seconds of processor to set up.
 */
export const character = fc
  .oneof(fc.nat(0x7f), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint))
  .filter((text) => text !== '\\')

/** Well-formed text of at most `maxLength` characters. */
export const anyText = (maxLength: number) => fc.string({ unit: character, maxLength })

/** Text that every store keeps: well-formed, without NUL. */
export const storableText = fc
  .string({
    unit: fc.oneof(fc.constantFrom('a', 'Z', '~', '/', 'ä', '€', '😀', ' ', '"', '\\'), character),
    maxLength: 8,
  })
  .map((text) => text.replaceAll('\0', ''))

const reserved = ['__proto__', 'constructor', 'prototype']
const fieldName = fc
  .oneof(storableText, fc.constantFrom('toString', 'valueOf', 'hasOwnProperty', '0', ''))
  .filter((name) => !reserved.includes(name) && !name.includes('\\'))

/** JSON that every store keeps, nested at most four deep. */
export const storableJson: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(
      fc.constantFrom(null, true, false),
      storableText,
      fc.integer(),
      fc.maxSafeInteger(),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map((number) => number + 0),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(fieldName, tie('value')), { maxLength: 4 }).map((fields) => Object.fromEntries(fields)),
  ),
})).value

/** Any value that `JSON.parse` can bring, however harmful: `__proto__` keys, lone surrogates, huge numbers. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  storableJson,
  fc.jsonValue({ stringUnit: character }).map((value) => JSON.parse(JSON.stringify(value)) as unknown),
  fc
    .constantFrom<string>(
      '{"__proto__":{"kind":"work"}}',
      '"\\ud800"',
      '{"\\ud800":1}',
      '[1e999]',
      '-0',
      '9007199254740993',
      '"2026-02-30"',
      '"\\u0000"',
      '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]',
    )
    .map((text) => JSON.parse(text) as unknown),
)
