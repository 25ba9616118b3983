import {
  addDaysWithinCalendar,
  affectedRange,
  buildTimeline,
  type Cause,
  type DateRange,
  FIRST_DATE,
  type HolidaySettings,
  jsonEqual,
  LAST_DATE,
  mergeRanges,
  rangeInForce,
  type Settings,
  type Timeline,
} from '@saldo/core'
import { liveFieldsOf } from '../store/stored-records.ts'
import { isOf, type ReplacedRecord } from './context.ts'

/** Dates whose figures a change can alter. */
export interface AffectedRange extends DateRange {
  /** The change; its date is that of the altered day. */
  cause: Pick<Cause, 'kind' | 'id' | 'op'>
}

/** Returns the dates whose figures a transaction can alter (D3.26, D3.28), by the timelines before and after it. */
export function affectedRanges(
  replaced: readonly ReplacedRecord[],
  timelineBefore: Timeline,
  timeline: Timeline,
): AffectedRange[] {
  const entries = replaced.filter(isOf('entries'))
  const settings = replaced.filter(isOf('settings_history'))
  return [
    ...entries.flatMap((change) => withCause(change, rangesOfEntry(change, timeline))),
    ...settings.flatMap((change) => withCause(change, rangesOfSettings(change, timelineBefore, timeline))),
  ]
}

function withCause({ after: { kind, id, deleted } }: ReplacedRecord, ranges: readonly DateRange[]): AffectedRange[] {
  return mergeRanges(ranges).map((range) => ({ ...range, cause: { kind, id, op: deleted ? 'delete' : 'upsert' } }))
}

/** Returns the dates of the old and of the new interval of an entry. */
function rangesOfEntry({ before, after }: ReplacedRecord<'entries'>, timeline: Timeline): DateRange[] {
  return [before, after].flatMap((record) => {
    const entry = liveFieldsOf(record)
    return (entry && affectedRange(entry, timeline)) ?? []
  })
}

/** Returns the old and the new range of a settings row, if it changes in anything that decides figures. */
function rangesOfSettings(
  { before, after }: ReplacedRecord<'settings_history'>,
  timelineBefore: Timeline,
  timeline: Timeline,
): DateRange[] {
  const [oldRow, newRow] = [liveFieldsOf(before), liveFieldsOf(after)]
  if (oldRow && newRow && decisiveFields.every((field) => jsonEqual(oldRow[field], newRow[field]))) return []
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

/** Returns the timeline before a transaction changed settings rows; `timeline` is the one after it. */
export function timelineBeforeChange(
  replaced: readonly ReplacedRecord[],
  timeline: Timeline<HolidaySettings>,
): Timeline<HolidaySettings> {
  const settings = replaced.filter(isOf('settings_history'))
  const changedIds = new Set(settings.map(({ after }) => after.id))
  const oldRows = settings.flatMap(({ before }) => liveFieldsOf(before) ?? [])
  return buildTimeline([...timeline.filter(({ id }) => !changedIds.has(id)), ...oldRows])
}
