import {
  type Adjustment,
  addDays,
  allDates,
  buildTimeline,
  type ClosedDay,
  type ClosedWeek,
  computeDays,
  type DateRange,
  type DayFigures,
  type DurationMs,
  dayStart,
  type HolidaySettings,
  type IdentifiedEntry,
  type IsoWeek,
  type RecordKind,
  type RecordOf,
  recordSchemas,
  type Settings,
  type Timeline,
  weekOf,
} from '@saldo/core'
import { knownFieldsOf } from '../http/unknown-fields.ts'
import { timeKeyOf } from '../store/records/rows.ts'
import type { EntrySpan, LiveRecord, TimeKey, UserReader } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import { mapInSlices } from '../time-slice.ts'
import { ENTRIES_AT_ONCE, entriesInSlices, portionsOf } from './day-portions.ts'

/** Reads the fields of the settings rows that the account and the holidays need. */
export async function readTimeline(reader: UserReader): Promise<Timeline<HolidaySettings>> {
  return buildTimeline(await reader.settingsRows())
}

/** Reads the entries that can alter the figures of a range of dates, by start. */
export function readEntries(reader: UserReader, timeline: Timeline, range: DateRange): Promise<IdentifiedEntry[]> {
  return reader.accountEntries(entrySpan(timeline, range))
}

/**
 * Returns the span in which the store finds the entries of a range of dates, timed ones and those on a date: these
 * overlap it with their UTC day, since no time zone is a day away from UTC.
 */
export function entrySpan(timeline: Timeline, { from, to }: DateRange): EntrySpan {
  return { from: dayStart(timeline, from), to: dayStart(timeline, addDays(to, 1)) }
}

/** Returns the figures of each day of a range, in order, by the records of the user; others are served in between. */
export async function computeFigures(reader: UserReader, timeline: Timeline, range: DateRange): Promise<DayFigures[]> {
  const entries = await readEntries(reader, timeline, range)
  if (entries.length <= ENTRIES_AT_ONCE) return computeDays(entries, timeline, range)
  const portions = [...portionsOf(range, await entriesInSlices(entries, timeline, range))]
  const figures = await mapInSlices(portions, (portion) => computeDays([...portion.entries], timeline, portion))
  return figures.flat()
}

/** Reads the closed days of a range of dates, in order; at most `limit`. */
export async function readClosedDays(reader: UserReader, range: DateRange, limit?: number): Promise<ClosedDay[]> {
  const page = limit === undefined ? undefined : { limit }
  return (await reader.overlapping('closed_days', dateSpan(range), page)).map(({ fields }) => fields)
}

/** Reads the closed weeks whose Monday lies in a range of dates, in order, with all their revisions. */
export function readClosedWeeks(reader: UserReader, range: DateRange): Promise<ClosedWeek[]> {
  return readInPieces(reader, 'closed_weeks', range, (fields) => fields)
}

/** The delta of a closed week, from its Monday to its Sunday. */
export interface ClosedWeekDelta extends DateRange {
  week: IsoWeek
  delta_ms: DurationMs
}

/** Reads the deltas of all closed weeks, in order: with revisions, those of decades have hundreds of megabytes. */
export async function readWeekDeltas(reader: UserReader): Promise<ClosedWeekDelta[]> {
  const weeks: ClosedWeekDelta[] = []
  for await (const piece of reader.deltas('closed_weeks', dateSpan(allDates))) {
    weeks.push(
      ...piece.map(({ date, deltaMs }) => ({
        ...{ week: weekOf(date), from: date, to: addDays(date, 6), delta_ms: deltaMs },
      })),
    )
  }
  return weeks
}

const knownSettings = recordSchemas.settings_history

/**
 * Reads the known fields of all settings rows; `readTimeline` reads those that the account needs. Programs can have
 * added others, of megabytes in all.
 */
export function readSettings(reader: UserReader): Promise<Settings[]> {
  return readInPieces(reader, 'settings_history', allDates, (row) => knownFieldsOf(knownSettings, row) as Settings)
}

/** Reads the known fields of the balance adjustments of a range of dates, in order. */
export function readAdjustments(reader: UserReader, range: DateRange): Promise<Adjustment[]> {
  const schema = recordSchemas.balance_adjustments
  return readInPieces(reader, 'balance_adjustments', range, (row) => knownFieldsOf(schema, row) as Adjustment)
}

/** So many records are read at once: the largest have three megabytes. */
const RECORDS_PER_READ = 50

/** Reads the records of a kind in a range of dates by time, and keeps of each what `partOf` returns. */
async function readInPieces<K extends RecordKind, P>(
  reader: UserReader,
  kind: K,
  range: DateRange,
  partOf: (fields: RecordOf<K>) => P,
): Promise<P[]> {
  const parts: P[] = []
  let after: TimeKey | undefined
  for (;;) {
    const records = await reader.overlapping(kind, dateSpan(range), { after, limit: RECORDS_PER_READ })
    parts.push(...(await mapInSlices(records, ({ fields }) => partOf(fields))))
    const last = records.at(-1)
    if (!last || records.length < RECORDS_PER_READ) return parts
    after = timeKeyOf(last as LiveRecord)
  }
}
