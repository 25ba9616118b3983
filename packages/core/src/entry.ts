import * as v from 'valibot'
import { absenceKinds, chosenAbsenceKinds, entryKinds, requestAims, type timedEntryKinds } from './choices.ts'
import { daysBetween } from './date.ts'
import type { DateRange } from './date-range.ts'
import { epochMs } from './instant.ts'
import { MAX_VACATION_DAYS, vacationDays, writableRecord } from './record-fields.ts'
import { DateText, InstantText, milliseconds, textUpTo, UserNumberValue, Zone } from './validation.ts'
import { DAY_MS, type DurationMs, type Instant, type LocalDate } from './values.ts'

const MAX_ENTRY_DAYS = 31

/** The limits of entries. Texts are counted in Unicode code points (D1.11). */
export const entryLimits = {
  /** The longest timed entry that may be written (D2.28). */
  ms: MAX_ENTRY_DAYS * DAY_MS,
  tags: 50,
  tagLength: 200,
  projectLength: 200,
  noteLength: 5_000,
  importRefLength: 500,
  /** The most dates that a request is about, and the most changes that it asks for (D26.1). */
  requestDays: 366,
  requestChanges: 50,
  /** The most live entries that begin on one UTC day: every computation of a day reads them all (D2.31). */
  perDay: 1_000,
} as const

const Tags = v.pipe(
  v.array(textUpTo(entryLimits.tagLength), 'must be a list of texts'),
  v.transform((tags) => [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))]),
  v.maxLength(entryLimits.tags, `must be at most ${entryLimits.tags} tags`),
)

const anyEntry = {
  time_zone: v.optional(v.nullable(Zone), null),
  note: v.optional(textUpTo(entryLimits.noteLength), ''),
  tags: v.optional(Tags, []),
  project: v.optional(v.nullable(textUpTo(entryLimits.projectLength)), null),
  source: v.optional(v.nullable(textUpTo(200)), null),
  import_ref: v.optional(v.nullable(textUpTo(entryLimits.importRefLength)), null),
}

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
const size = {
  day_share: v.pipe(
    v.optional(
      v.nullable(
        v.pipe(
          v.number(shareMessage),
          v.check((share) => share > 0, shareMessage),
          v.metadata({ exclusiveMinimum: 0 }),
          v.maxValue(1, shareMessage),
        ),
      ),
    ),
    v.metadata({
      description: 'How much of the day; nine decimals count. Null beside amount_ms; otherwise 1 by default.',
    }),
  ),
  amount_ms: v.pipe(
    v.optional(v.nullable(milliseconds(1, DAY_MS))),
    v.metadata({ description: 'How much of the planned time. Null beside day_share.' }),
  ),
}

const absence = { kind: v.picklist(absenceKinds), date: DateText, ...size, ...anyEntry }

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
  days: v.pipe(
    vacationDays(-MAX_VACATION_DAYS, MAX_VACATION_DAYS),
    v.check((days) => days !== 0, 'must not be 0'),
    v.metadata({ not: { const: 0 } }),
  ),
  ...anyEntry,
}

const changesMessage = `must be a list of 1 to ${entryLimits.requestChanges} changes`

/** A request to somebody who decides it (D26.1). The account ignores it, and what it asks for counts once approved. */
const request = {
  kind: v.literal('request'),
  asks: v.picklist(requestAims),
  date: v.pipe(DateText, v.metadata({ description: 'The first date that it is about.' })),
  last_date: DateText,
  absence: v.pipe(
    v.optional(v.nullable(v.picklist(chosenAbsenceKinds)), null),
    v.metadata({ description: 'The kind of the absence; null for changes.' }),
  ),
  ...size,
  changes: v.pipe(
    v.optional(
      v.nullable(
        v.pipe(
          v.array(v.looseObject({}), changesMessage),
          v.minLength(1, changesMessage),
          v.maxLength(entryLimits.requestChanges, changesMessage),
        ),
      ),
      null,
    ),
    v.metadata({ description: 'Changes as a push has them; null unless `asks` is `change`.' }),
  ),
  planned: v.pipe(
    v.optional(v.boolean('must be true or false'), false),
    v.metadata({ description: 'True to show it to colleagues before the decision (D25.5).' }),
  ),
  substitute: v.pipe(
    v.optional(v.nullable(UserNumberValue), null),
    v.metadata({ description: 'The user who is asked to stand in (D26.13).' }),
  ),
  ...anyEntry,
}

interface RequestDates {
  date: LocalDate
  last_date: LocalDate
}

function isRequestRange({ date, last_date }: RequestDates): boolean {
  return last_date >= date && daysBetween(date, last_date) < entryLimits.requestDays
}
const requestRangeMessage = `must not be before date, and at most ${entryLimits.requestDays - 1} days after it`

interface RequestAim {
  asks: (typeof requestAims)[number]
  absence: (typeof chosenAbsenceKinds)[number] | null
  changes: readonly unknown[] | null
}

/** True if a request has what its aim needs, and nothing of the other aims. */
function hasAim({ asks, absence, changes }: RequestAim): boolean {
  return asks === 'change' ? absence === null && changes !== null : absence !== null && changes === null
}
const aimMessage = 'must fit asks: an absence for `absence` and `cancel`, changes for `change`'

interface Times {
  started_at: Instant
  ended_at: Instant | null
}

function endsAfterStart({ started_at, ended_at }: Times): boolean {
  return ended_at === null || ended_at >= started_at
}
const endMessage = 'must not be before started_at'

function isShortEnough({ started_at, ended_at }: Times): boolean {
  return ended_at === null || epochMs(ended_at) - epochMs(started_at) <= entryLimits.ms
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

const absenceContent = v.pipe(
  v.looseObject(absence),
  v.forward(
    v.check((entry) => hasOneSize(entry), sizeMessage),
    ['amount_ms'],
  ),
  v.transform((entry) => withSize(entry)),
)

const grantContent = v.looseObject(grant)

const requestContent = v.pipe(
  v.looseObject(request),
  v.forward(
    v.check((entry) => hasOneSize(entry), sizeMessage),
    ['amount_ms'],
  ),
  v.forward(
    v.check((entry) => isRequestRange(entry), requestRangeMessage),
    ['last_date'],
  ),
  v.forward(
    v.check((entry) => hasAim(entry), aimMessage),
    ['asks'],
  ),
  v.transform((entry) => withSize(entry)),
)

/** The content of an entry (D2.8 to D2.12). Unknown fields stay. */
export const EntryContent = v.variant(
  'kind',
  [workContent, breakContent, absenceContent, grantContent, requestContent],
  `must be one of ${entryKinds.join(', ')}`,
)

/** An entry of work (D2.9). `ended_at` is null while it runs. */
export const WorkEntry = v.looseObject({ ...writableRecord, ...work })
/** An entry of a recorded break (D2.9). `ended_at` is null while it runs. */
export const BreakEntry = v.looseObject({ ...writableRecord, ...pause })
/** An absence (D2.10). Its size is `day_share` or `amount_ms`; the other one is null (D2.34). */
export const AbsenceEntry = v.pipe(
  v.looseObject({ ...writableRecord, ...absence }),
  v.forward(
    v.check((entry) => hasOneSize(entry), sizeMessage),
    ['amount_ms'],
  ),
  v.transform((entry) => withSize(entry)),
)
/** Vacation days that were granted, or taken back if negative (D2.36). */
export const Grant = v.looseObject({ ...writableRecord, ...grant })
/** A request for an absence, for the end of one, or for changes (D26.1). */
export const RequestEntry = v.pipe(
  v.looseObject({ ...writableRecord, ...request }),
  v.forward(
    v.check((entry) => hasOneSize(entry), sizeMessage),
    ['amount_ms'],
  ),
  v.forward(
    v.check((entry) => isRequestRange(entry), requestRangeMessage),
    ['last_date'],
  ),
  v.forward(
    v.check((entry) => hasAim(entry), aimMessage),
    ['asks'],
  ),
  v.transform((entry) => withSize(entry)),
)
/** An entry: work, a break, an absence, granted vacation days or a request, by `kind` (D2.8). */
export const Entry = v.variant('kind', [WorkEntry, BreakEntry, AbsenceEntry, Grant, RequestEntry])

// TypeScript names interfaces in its errors, and expands types that a schema gives.
interface WorkContent extends v.InferOutput<typeof workContent> {}
interface BreakContent extends v.InferOutput<typeof breakContent> {}
/** The content of work or a break. */
export type TimedEntryContent = WorkContent | BreakContent
/** The content of granted vacation days. */
export interface GrantContent extends v.InferOutput<typeof grantContent> {}
/** The content of an absence. */
export type AbsenceContent = v.InferOutput<typeof absenceContent>
/** The content of a request. */
export type RequestContent = v.InferOutput<typeof requestContent>
export type EntryContent = TimedEntryContent | AbsenceContent | GrantContent | RequestContent
interface WorkInput extends v.InferInput<typeof workContent> {}
interface BreakInput extends v.InferInput<typeof breakContent> {}
interface AbsenceInput extends v.InferInput<typeof absenceContent> {}
interface GrantInput extends v.InferInput<typeof grantContent> {}
interface RequestInput extends v.InferInput<typeof requestContent> {}
/** The content of an entry as it may be written, without fields that have a default (D2.13). */
export type EntryInput = WorkInput | BreakInput | AbsenceInput | GrantInput | RequestInput
export interface WorkEntry extends v.InferOutput<typeof WorkEntry> {}
export interface BreakEntry extends v.InferOutput<typeof BreakEntry> {}
export type AbsenceEntry = v.InferOutput<typeof AbsenceEntry>
export interface Grant extends v.InferOutput<typeof Grant> {}
export type RequestEntry = v.InferOutput<typeof RequestEntry>
export type Entry = WorkEntry | BreakEntry | AbsenceEntry | Grant | RequestEntry

/** Returns the size of an absence, without its other fields. */
export function sizeOf({ day_share, amount_ms }: AbsenceSize): AbsenceSize {
  return amount_ms === null ? { day_share, amount_ms } : { day_share: null, amount_ms }
}

/** True if an entry is timed: work or a break, with a start and an end. */
export function isTimed<E extends EntryContent>(
  entry: E,
): entry is Extract<E, { kind: (typeof timedEntryKinds)[number] }> {
  return entry.kind === 'work' || entry.kind === 'break'
}

/** True if the account reads an entry: not work that does not count (D2.38), nor a request (D26.1). */
export function isCounted<E extends EntryContent>(entry: E): entry is Exclude<E, { kind: 'request' }> {
  // Unsent changes of an older local schema lack the field.
  return !isRequest(entry) && (entry.kind !== 'work' || entry.counts !== false)
}

/** True if an entry is an absence: it takes a day or a part of it. */
export function isAbsence<E extends EntryContent>(
  entry: E,
): entry is Extract<E, { kind: (typeof absenceKinds)[number] }> {
  return absenceKinds.some((kind) => kind === entry.kind)
}

/** Returns the dates of an entry without times: of a request all that it is about. */
export function untimedDatesOf(entry: Exclude<EntryContent, TimedEntryContent>): DateRange {
  return { from: entry.date, to: isRequest(entry) ? entry.last_date : entry.date }
}

/** True if an entry grants vacation days. */
export function isGrant<E extends EntryContent>(entry: E): entry is Extract<E, { kind: 'vacation_grant' }> {
  return entry.kind === 'vacation_grant'
}

/** True if an entry is a request, which only a decision turns into something that counts. */
export function isRequest<E extends EntryContent>(entry: E): entry is Extract<E, { kind: 'request' }> {
  return entry.kind === 'request'
}
