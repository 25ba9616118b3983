import {
  affectedRange,
  type Cause,
  type DateRange,
  type Entry,
  FIRST_DATE,
  type Json,
  jsonEqual,
  LAST_DATE,
  rangeInForce,
  type Settings,
  type Timeline,
  timelineOf,
} from '@saldo/core'
import { liveFieldsOf } from '../records/fields.ts'
import type { StoredRecord } from '../store/store.ts'
import { addDaysWithinCalendar, mergeRanges } from './date-ranges.ts'

/** A record that a transaction changed: as it was stored before and after. */
export interface ReplacedRecord {
  before: StoredRecord | undefined
  after: StoredRecord
}

/** Dates whose figures a change can alter. */
export interface AffectedRange extends DateRange {
  /** The change; its date is that of the altered day. */
  cause: Pick<Cause, 'kind' | 'id' | 'op'>
}

/** Returns the dates whose figures a transaction can alter (D3.26, D3.28); `timeline` is the one after it. */
export function affectedRanges(replaced: readonly ReplacedRecord[], timeline: Timeline<Settings>): AffectedRange[] {
  const entries = replaced.filter(({ after }) => after.kind === 'entries')
  const settings = replaced.filter(({ after }) => after.kind === 'settings_history')
  const timelineBefore = timelineBeforeChange(settings, timeline)
  return [
    ...entries.flatMap((change) => withCause(change, rangesOfEntry(change, timeline))),
    ...settings.flatMap((change) => withCause(change, rangesOfSettings(change, timelineBefore, timeline))),
  ]
}

function withCause({ after: { kind, id, deleted } }: ReplacedRecord, ranges: readonly DateRange[]): AffectedRange[] {
  return mergeRanges(ranges).map((range) => ({ ...range, cause: { kind, id, op: deleted ? 'delete' : 'upsert' } }))
}

/** Returns the dates of the old and of the new interval of an entry. */
function rangesOfEntry({ before, after }: ReplacedRecord, timeline: Timeline): DateRange[] {
  return [before, after].flatMap((record) => {
    const entry = liveFieldsOf<Entry>(record)
    return (entry && affectedRange(entry, timeline)) ?? []
  })
}

/** Returns the old and the new range of a settings row, if it changes in anything that decides figures. */
function rangesOfSettings(
  { before, after }: ReplacedRecord,
  timelineBefore: Timeline,
  timeline: Timeline,
): DateRange[] {
  const [oldRow, newRow] = [liveFieldsOf<Settings>(before), liveFieldsOf<Settings>(after)]
  if (oldRow && newRow && decisiveFields.every((field) => jsonEqual(oldRow[field] as Json, newRow[field] as Json))) {
    return []
  }
  return [...rangeOfRow(oldRow, timelineBefore), ...rangeOfRow(newRow, timeline)]
}

/** The fields of a settings row that decide figures. */
const decisiveFields = ['effective_from', 'time_zone', 'target_ms', 'break_policy'] as const

function rangeOfRow(row: Settings | null, timeline: Timeline): DateRange[] {
  if (!row) return []
  const { from, to } = rangeInForce(timeline, row.effective_from)
  // All days before the account begins have the zone of the first row.
  const isFirst = timeline[0]?.effective_from === from
  // The zone of a row decides the borders of the days beside its range, too.
  return [
    {
      from: isFirst ? FIRST_DATE : addDaysWithinCalendar(from, -1),
      to: to ? addDaysWithinCalendar(to, 1) : LAST_DATE,
    },
  ]
}

function timelineBeforeChange(settings: readonly ReplacedRecord[], timeline: Timeline<Settings>): Timeline<Settings> {
  const changedIds = new Set(settings.map(({ after }) => after.id))
  const oldRows = settings.flatMap(({ before }) => liveFieldsOf<Settings>(before) ?? [])
  return timelineOf([...timeline.filter(({ id }) => !changedIds.has(id)), ...oldRows])
}
