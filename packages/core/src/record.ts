import * as v from 'valibot'
import { isMonthDay } from './date.ts'
import { epochMs } from './instant.ts'
import { findUnstorable, isJsonObject, type JsonObject, utf8Length } from './json.ts'
import {
  type Checked,
  CountryText,
  check,
  DateText,
  InstantText,
  invalid,
  MonthDayText,
  milliseconds,
  PlaceCode,
  SignedMs,
  TimeText,
  textBetween,
  textUpTo,
  Uuid,
  WeekText,
  wholeNumber,
  Zone,
} from './validation.ts'
import { DAY_MS, type DurationMs, type Instant } from './values.ts'

/** The kinds of record that clients create and change (R1.2). */
export const writableKinds = ['entries', 'settings_history', 'balance_adjustments'] as const
/** All kinds of record (R1.1). */
export const recordKinds = [
  'entries',
  'closed_days',
  'closed_weeks',
  'balance_adjustments',
  'settings_history',
] as const

/** A kind of record that clients create and change (R1.2). */
export type WritableKind = (typeof writableKinds)[number]
/** One of `recordKinds`. */
export type RecordKind = (typeof recordKinds)[number]

/** True for the kinds that clients create and change (R1.2). */
export function isWritableKind(kind: unknown): kind is WritableKind {
  return writableKinds.includes(kind as WritableKind)
}

/** True for the kinds of records. */
export function isRecordKind(kind: unknown): kind is RecordKind {
  return recordKinds.includes(kind as RecordKind)
}

/** The largest size of a record as JSON in UTF-8 (D1.3). */
export const MAX_RECORD_BYTES = 64 * 1024

/** The earliest date at which an account may begin. It bounds the work that one settings row can cause. */
export const FIRST_EFFECTIVE_DATE = '1900-01-01'

const MAX_ENTRY_DAYS = 31
/** The longest timed entry that may be written (D2.28). */
export const MAX_ENTRY_MS = MAX_ENTRY_DAYS * DAY_MS

/** The most weeks of a rotating schedule (D2.17). */
export const MAX_ROTATION_WEEKS = 8

const MAX_AUTO_CLOSE_DAYS = 366
const MAX_TAGS = 50

/** The most vacation days of a year, and of one grant. */
export const MAX_VACATION_DAYS = 366

/** The largest limit of a balance, in milliseconds (D2.37). */
export const MAX_LIMIT_MS = 366 * DAY_MS
/** The most ends of periods in a year (D2.37). */
export const MAX_PERIOD_ENDS = 12

/** A number of vacation days in hundredths. */
function vacationDays(min: number, max: number) {
  const message = `must be a number from ${min} to ${max} with at most two decimals`
  return v.pipe(
    v.number(message),
    v.minValue(min, message),
    v.maxValue(max, message),
    v.check((days) => Math.round(days * 100) / 100 === days, message),
  )
}

/** The fields that every live record carries beside its content. */
const anyRecord = { id: Uuid, updated_at: InstantText, version: wholeNumber(0, Number.MAX_SAFE_INTEGER) }
/** The same for the kinds that clients write. */
const writableRecord = { ...anyRecord, created_at: InstantText }

const Tags = v.pipe(
  v.array(textUpTo(200), 'must be a list of texts'),
  v.transform((tags) => [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))]),
  v.maxLength(MAX_TAGS, `must be at most ${MAX_TAGS} tags`),
)

const anyEntry = {
  time_zone: v.optional(v.nullable(Zone), null),
  note: v.optional(textUpTo(5_000), ''),
  tags: v.optional(Tags, []),
  project: v.optional(v.nullable(textUpTo(200)), null),
  source: v.optional(v.nullable(textUpTo(200)), null),
  import_ref: v.optional(v.nullable(textUpTo(500)), null),
}

/** The kinds of entries with a start and an end (D2.9). */
export const timedEntryKinds = ['work', 'break'] as const
/** The kinds of absences, which have a date and a size (D2.10, D2.34). */
export const dayEntryKinds = ['vacation', 'sick', 'public_holiday', 'time_off_in_lieu', 'unpaid', 'paid_other'] as const
/** The kinds of entry (D2.8). */
export const entryKinds = [...timedEntryKinds, ...dayEntryKinds, 'vacation_grant'] as const

const timedEntry = {
  started_at: InstantText,
  ended_at: v.optional(v.nullable(InstantText), null),
  ...anyEntry,
}
const work = {
  kind: v.literal('work'),
  ...timedEntry,
  counts: v.pipe(
    v.optional(v.boolean('must be true or false'), true),
    v.metadata({ description: 'False: recorded, but no part of the account.' }),
  ),
}
const pause = { kind: v.literal('break'), ...timedEntry }

const shareMessage = 'must be a number above 0 and at most 1'
const dayEntry = {
  kind: v.picklist(dayEntryKinds),
  date: DateText,
  day_share: v.pipe(
    v.optional(v.nullable(v.pipe(v.number(shareMessage), v.gtValue(0, shareMessage), v.maxValue(1, shareMessage)))),
    v.metadata({
      description: 'How much of the day; nine decimals count. Null beside amount_ms; otherwise 1 by default.',
    }),
  ),
  amount_ms: v.pipe(
    v.optional(v.nullable(milliseconds(1, DAY_MS))),
    v.metadata({ description: 'How much of the planned time. Null beside day_share.' }),
  ),
  ...anyEntry,
}

/** The size of an absence: a share of the day, or an amount of its planned time (D2.34). */
export type AbsenceSize = { day_share: number; amount_ms: null } | { day_share: null; amount_ms: DurationMs }

/** The size as it may be written: either field may be left out, and without both it is the whole day (D2.13). */
interface WrittenSize {
  day_share?: number | null | undefined
  amount_ms?: DurationMs | null | undefined
}

const sizeMessage = 'must be null beside day_share, and a duration where day_share is null'

/** True unless both fields are given, or the share is null without an amount. */
function hasOneSize({ day_share, amount_ms }: WrittenSize): boolean {
  return day_share === undefined || (day_share === null) !== (amount_ms == null)
}

function withSize<E extends WrittenSize>(entry: E): E & AbsenceSize {
  const { day_share, amount_ms } = entry
  if (typeof amount_ms === 'number') return { ...entry, day_share: null, amount_ms }
  return { ...entry, day_share: day_share ?? 1, amount_ms: null }
}

/** Vacation days that someone was granted or lost. The account of working time ignores them (D2.36). */
const grant = {
  kind: v.literal('vacation_grant'),
  date: DateText,
  days: v.pipe(vacationDays(-MAX_VACATION_DAYS, MAX_VACATION_DAYS), v.notValue(0, 'must not be 0')),
  ...anyEntry,
}

interface Times {
  started_at: Instant
  ended_at: Instant | null
}

function endsAfterStart({ started_at, ended_at }: Times): boolean {
  return ended_at === null || ended_at >= started_at
}
const endMessage = 'must not be before started_at'

function isShortEnough({ started_at, ended_at }: Times): boolean {
  return ended_at === null || epochMs(ended_at) - epochMs(started_at) <= MAX_ENTRY_MS
}
const lengthMessage = `must be at most ${MAX_ENTRY_DAYS} days after started_at`

const workContent = v.pipe(
  v.looseObject(work),
  v.forward(
    v.check((entry) => endsAfterStart(entry), endMessage),
    ['ended_at'],
  ),
  v.forward(
    v.check((entry) => isShortEnough(entry), lengthMessage),
    ['ended_at'],
  ),
)

const breakContent = v.pipe(
  v.looseObject(pause),
  v.forward(
    v.check((entry) => endsAfterStart(entry), endMessage),
    ['ended_at'],
  ),
  v.forward(
    v.check((entry) => isShortEnough(entry), lengthMessage),
    ['ended_at'],
  ),
)

const dayContent = v.pipe(
  v.looseObject(dayEntry),
  v.forward(
    v.check((entry) => hasOneSize(entry), sizeMessage),
    ['amount_ms'],
  ),
  v.transform((entry) => withSize(entry)),
)

/** The content of an entry (D2.8 to D2.12). Unknown fields stay. */
export const EntryContent = v.variant(
  'kind',
  [workContent, breakContent, dayContent, v.looseObject(grant)],
  `must be one of ${entryKinds.join(', ')}`,
)

const rule = v.looseObject({
  worked_above_ms: milliseconds(0, 2 * DAY_MS),
  required_ms: milliseconds(0, DAY_MS),
})

/** The countries whose working-time law can have hints (D14.3). */
export const hintCountries = ['de', 'at', 'ch'] as const

/** A span of local time within a day. */
const TimeSpan = v.pipe(
  v.looseObject({ from: TimeText, to: TimeText }),
  v.forward(
    v.check(({ from, to }) => from < to, 'must be later than from'),
    ['to'],
  ),
)

const MAX_PARTIAL_DAYS = 50
const partialMessage = `must be at most ${MAX_PARTIAL_DAYS} days of the year such as 12-24`
const shareOfHoliday = 'must be a number from 0 to 1'

/** The public holidays of a place, and days that are free in part or not at all, by month and day (D16.1). */
const HolidayRule = v.looseObject({
  country: CountryText,
  state: v.optional(v.nullable(PlaceCode), null),
  region: v.optional(v.nullable(PlaceCode), null),
  partial: v.optional(
    v.pipe(
      v.record(
        v.string(),
        v.pipe(v.number(shareOfHoliday), v.minValue(0, shareOfHoliday), v.maxValue(1, shareOfHoliday)),
      ),
      v.check(
        (partial) => Object.keys(partial).length <= MAX_PARTIAL_DAYS && Object.keys(partial).every(isMonthDay),
        partialMessage,
      ),
    ),
    {},
  ),
})

const periodEndsMessage = `must be at most ${MAX_PERIOD_ENDS} days of the year such as 12-31`

/** The ranges of the balance, and what may be kept of it at the end of a period (D2.37). */
const Limits = v.pipe(
  v.looseObject({
    green_ms: milliseconds(0, MAX_LIMIT_MS),
    yellow_ms: milliseconds(0, MAX_LIMIT_MS),
    period_ends: v.optional(
      v.pipe(
        v.array(MonthDayText, periodEndsMessage),
        v.maxLength(MAX_PERIOD_ENDS, periodEndsMessage),
        v.transform((days) => [...new Set(days)].sort()),
      ),
      [],
    ),
    keep_at_most_ms: v.optional(v.nullable(milliseconds(0, MAX_LIMIT_MS)), null),
  }),
  v.forward(
    v.check(({ green_ms, yellow_ms }) => green_ms <= yellow_ms, 'must not be less than green_ms'),
    ['yellow_ms'],
  ),
)

const MAX_TARGETS = 7 * MAX_ROTATION_WEEKS
const targetMessage = `must be seven durations a week, Monday first, for 1 to ${MAX_ROTATION_WEEKS} weeks`

const settings = {
  effective_from: v.pipe(DateText, v.minValue(FIRST_EFFECTIVE_DATE, `must not be before ${FIRST_EFFECTIVE_DATE}`)),
  time_zone: Zone,
  target_ms: v.pipe(
    v.array(milliseconds(0, DAY_MS), targetMessage),
    v.minLength(7, targetMessage),
    v.maxLength(MAX_TARGETS, targetMessage),
    // Each fault is named once.
    v.check(({ length }) => length < 7 || length > MAX_TARGETS || length % 7 === 0, targetMessage),
  ),
  break_policy: v.optional(
    v.nullable(
      v.looseObject({
        rules: v.pipe(v.array(rule, 'must be a list of rules'), v.maxLength(20, 'must be at most 20 rules')),
        min_piece_ms: v.optional(milliseconds(0, DAY_MS), 0),
      }),
    ),
    null,
  ),
  auto_close: v.optional(
    v.nullable(
      v.looseObject({
        day_after_ms: milliseconds(0, MAX_AUTO_CLOSE_DAYS * DAY_MS),
        week_after_days: wholeNumber(0, MAX_AUTO_CLOSE_DAYS),
      }),
    ),
    null,
  ),
  week_starts_on: v.optional(wholeNumber(1, 7), 1),
  hints: v.optional(v.nullable(v.picklist(hintCountries, `must be one of ${hintCountries.join(', ')}`)), null),
  core_time: v.optional(v.nullable(TimeSpan), null),
  frame: v.optional(v.nullable(TimeSpan), null),
  holidays: v.optional(v.nullable(HolidayRule), null),
  vacation: v.optional(
    v.nullable(
      v.looseObject({
        days_per_year: vacationDays(0, MAX_VACATION_DAYS),
        carry_over_until: v.optional(v.nullable(MonthDayText), null),
      }),
    ),
    null,
  ),
  limits: v.optional(v.nullable(Limits), null),
  note: v.optional(textUpTo(5_000), ''),
}

/** The content of a settings row (D2.14 to D2.20). Unknown fields stay. */
export const SettingsContent = v.looseObject(settings)

/** The kinds of balance adjustments (D2.21). */
export const adjustmentKinds = ['opening', 'payout', 'correction', 'expiry', 'transfer', 'other'] as const

const adjustment = {
  effective_date: DateText,
  delta_ms: SignedMs,
  kind: v.picklist(adjustmentKinds, `must be one of ${adjustmentKinds.join(', ')}`),
  reason: textBetween(1, 500),
}

/** True unless an adjustment changes nothing. An expiry of 0 is a proposal that the user declined (D18.6). */
function hasEffect({ delta_ms, kind }: { delta_ms: DurationMs; kind: string }): boolean {
  return delta_ms !== 0 || kind === 'expiry'
}
const effectMessage = 'must not be 0'

/** The content of a balance adjustment (D2.21). Unknown fields stay. */
export const AdjustmentContent = v.pipe(
  v.looseObject(adjustment),
  v.forward(v.partialCheck([['delta_ms'], ['kind']], hasEffect, effectMessage), ['delta_ms']),
)

/** An entry of work (D2.9). `ended_at` is null while it runs. */
export const WorkEntry = v.looseObject({ ...writableRecord, ...work })
/** An entry of a recorded break (D2.9). `ended_at` is null while it runs. */
export const BreakEntry = v.looseObject({ ...writableRecord, ...pause })
/** An absence (D2.10). Its size is `day_share` or `amount_ms`; the other one is null (D2.34). */
export const DayEntry = v.pipe(
  v.looseObject({ ...writableRecord, ...dayEntry }),
  v.forward(
    v.check((entry) => hasOneSize(entry), sizeMessage),
    ['amount_ms'],
  ),
  v.transform((entry) => withSize(entry)),
)
/** Vacation days that were granted, or taken back if negative (D2.36). */
export const Grant = v.looseObject({ ...writableRecord, ...grant })
/** An entry: work, a break, an absence or granted vacation days, by `kind` (D2.8). */
export const Entry = v.variant('kind', [WorkEntry, BreakEntry, DayEntry, Grant])
/** A settings row: the rules of the account from its `effective_from` on (D2.14 to D2.20). */
export const Settings = v.looseObject({ ...writableRecord, ...settings })
/** A balance adjustment (D2.21). */
export const Adjustment = v.pipe(
  v.looseObject({ ...writableRecord, ...adjustment }),
  v.forward(v.partialCheck([['delta_ms'], ['kind']], hasEffect, effectMessage), ['delta_ms']),
)

const closedBy = v.picklist(['auto', 'user', 'recompute'])
/** The schemas of the closed-period figures of a day or week. */
export const figureSchemas = {
  target_ms: SignedMs,
  worked_ms: v.pipe(SignedMs, v.metadata({ description: 'Time covered by work and not by a break.' })),
  break_ms: v.pipe(SignedMs, v.metadata({ description: 'Time covered by recorded breaks.' })),
  deducted_break_ms: v.pipe(SignedMs, v.metadata({ description: 'Break time deducted by the break policy.' })),
  credited_ms: SignedMs,
  delta_ms: v.pipe(SignedMs, v.metadata({ description: 'worked − deducted break + credited − target.' })),
}
const closingFields = {
  closed_at: InstantText,
  closed_by: v.pipe(closedBy, v.metadata({ description: 'What stored the figures.' })),
  first_closed_by: v.optional(v.pipe(closedBy, v.metadata({ description: 'What closed it at `closed_at`.' }))),
  revision: wholeNumber(1, Number.MAX_SAFE_INTEGER),
}

/** A closed day: its figures when it was closed or last recomputed. */
export const ClosedDay = v.looseObject({
  ...anyRecord,
  date: DateText,
  time_zone: Zone,
  ...figureSchemas,
  settings_id: v.nullable(Uuid),
  ...closingFields,
})

const Cause = v.looseObject({
  kind: v.picklist(recordKinds),
  id: Uuid,
  op: v.picklist(['upsert', 'delete', 'close', 'holidays']),
  date: DateText,
})

const Revision = v.looseObject({
  revision: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  at: InstantText,
  delta_ms: SignedMs,
  cause: Cause,
})

/** A closed week: its figures, and the latest recomputations with their causes. */
export const ClosedWeek = v.looseObject({
  ...anyRecord,
  week: WeekText,
  start_date: DateText,
  end_date: DateText,
  ...figureSchemas,
  ...closingFields,
  previous_delta_ms: v.nullable(SignedMs),
  revisions: v.array(Revision),
})

export type EntryContent = v.InferOutput<typeof EntryContent>
/** The content of work or a break. */
export type TimedEntryContent = Extract<EntryContent, { started_at: string }>
/** The content of an absence. */
export type DayEntryContent = Extract<EntryContent, { kind: (typeof dayEntryKinds)[number] }>
/** The content of granted vacation days. */
export type GrantContent = Extract<EntryContent, { kind: 'vacation_grant' }>
export type SettingsContent = v.InferOutput<typeof SettingsContent>
export type AdjustmentContent = v.InferOutput<typeof AdjustmentContent>
export type Entry = v.InferOutput<typeof Entry>
export type Settings = v.InferOutput<typeof Settings>
export type Adjustment = v.InferOutput<typeof Adjustment>
export type ClosedDay = v.InferOutput<typeof ClosedDay>
export type ClosedWeek = v.InferOutput<typeof ClosedWeek>
/** The change for which a closed week was recomputed, and the date of the week that it affected. */
export type Cause = v.InferOutput<typeof Cause>

/** The schema of a whole record, by kind. */
export const recordSchemas = {
  entries: Entry,
  closed_days: ClosedDay,
  closed_weeks: ClosedWeek,
  balance_adjustments: Adjustment,
  settings_history: Settings,
} as const satisfies Record<RecordKind, v.GenericSchema>

/** The schema of the content of a record, by kind. */
export const contentSchemas = {
  entries: EntryContent,
  settings_history: SettingsContent,
  balance_adjustments: AdjustmentContent,
} as const satisfies Record<WritableKind, v.GenericSchema>

/** A client-writable record without the fields that the service sets (id, created_at, updated_at, version). */
export type Content<K extends WritableKind = WritableKind> = v.InferOutput<(typeof contentSchemas)[K]>

/** The content as a program may write it: fields with a default may be left out. */
export type Draft<K extends WritableKind = WritableKind> = v.InferInput<(typeof contentSchemas)[K]>

/** Returns the content of a record: its fields without those that the service sets. Unknown fields stay. */
export function contentOf(record: Entry): EntryContent
export function contentOf(record: Settings): SettingsContent
export function contentOf(record: Adjustment): AdjustmentContent
export function contentOf(record: JsonObject): JsonObject
export function contentOf(record: object): object {
  const { id: _id, created_at: _created, updated_at: _updated, version: _version, ...content } = record as JsonObject
  return content
}

/**
 * Reads the content of a record from input: in canonical form, with defaults, with unknown fields, without the fields
 * that the service sets. `pointer` is the place of the record in the input.
 */
export function parseContent<K extends WritableKind>(kind: K, input: unknown, pointer = ''): Checked<Content<K>> {
  if (!isJsonObject(input)) return invalid(pointer, 'must be an object')
  const content = contentOf(input)
  const unstorable = findUnstorable(content, pointer)
  if (unstorable) return { ok: false, errors: [unstorable] }
  const tooLarge = invalid(pointer, `must be at most ${MAX_RECORD_BYTES} bytes as JSON`)
  // A check of all fields would take long. The canonical form is smaller only where tags are repeated or padded.
  if (JSON.stringify(content).length > 2 * MAX_RECORD_BYTES) return tooLarge
  const checked = check(contentSchemas[kind], content, pointer)
  if (checked.ok && utf8Length(JSON.stringify(checked.value)) > MAX_RECORD_BYTES) return tooLarge
  return checked as Checked<Content<K>>
}

/** Returns the size of an absence, without its other fields. */
export function sizeOf({ day_share, amount_ms }: AbsenceSize): AbsenceSize {
  return amount_ms === null ? { day_share, amount_ms } : { day_share: null, amount_ms }
}

/** True if an entry is timed: work or a break, with a start and an end. */
export function isTimed(entry: EntryContent): entry is TimedEntryContent {
  return entry.kind === 'work' || entry.kind === 'break'
}

/** True unless an entry is work that does not count (D2.38). */
export function isCounted(entry: EntryContent): boolean {
  // Unsent changes of an older local schema lack the field.
  return entry.kind !== 'work' || entry.counts !== false
}

/** True if an entry is an absence: it takes a day or a part of it. */
export function isAbsence(entry: EntryContent): entry is DayEntryContent {
  return !isTimed(entry) && !isGrant(entry)
}

/** True if an entry grants vacation days. */
export function isGrant(entry: EntryContent): entry is GrantContent {
  return entry.kind === 'vacation_grant'
}
