import {
  addDaysWithinCalendar,
  affectedRange,
  type Cause,
  type DateRange,
  FIRST_DATE,
  haveSameFigures,
  isGrant,
  LAST_DATE,
  mergeRanges,
  rangeInForce,
  type Settings,
  type Timeline,
} from '@saldo/core'
import { liveFieldsOf } from '../store/stored-records.ts'
import { mapInSlices } from '../time-slice.ts'
import { isOf, type ReplacedRecord } from './context.ts'

/** Dates whose figures a change can alter. */
export interface AffectedRange extends DateRange {
  /** The change; its date is that of the altered day. */
  cause: Pick<Cause, 'kind' | 'id' | 'op'>
}

/**
 * Returns the dates whose figures a transaction can alter (D3.26, D3.28), by the timelines before and after it, in the
 * order of its changes.
 */
export async function affectedRanges(
  replaced: readonly ReplacedRecord[],
  timelineBefore: Timeline,
  timeline: Timeline,
): Promise<AffectedRange[]> {
  const ranges = await mapInSlices(replaced, (record) => {
    if (isOf('entries')(record)) return withCause(record, rangesOfEntry(record, timeline))
    if (isOf('settings_history')(record)) return withCause(record, rangesOfSettings(record, timelineBefore, timeline))
    return []
  })
  return ranges.flat()
}

function withCause({ after: { kind, id, deleted } }: ReplacedRecord, ranges: readonly DateRange[]): AffectedRange[] {
  return mergeRanges(ranges).map((range) => ({ ...range, cause: { kind, id, op: deleted ? 'delete' : 'upsert' } }))
}

/** Returns the dates of the old and of the new interval of an entry; none of a grant, which is in no day's figures. */
function rangesOfEntry({ before, after }: ReplacedRecord<'entries'>, timeline: Timeline): DateRange[] {
  return [before, after].flatMap((record) => {
    const entry = liveFieldsOf(record)
    return entry && !isGrant(entry) ? (affectedRange(entry, timeline) ?? []) : []
  })
}

/** Returns the old and the new range of a settings row, if it changes in anything that decides figures. */
function rangesOfSettings(
  { before, after }: ReplacedRecord<'settings_history'>,
  timelineBefore: Timeline,
  timeline: Timeline,
): DateRange[] {
  const [oldRow, newRow] = [liveFieldsOf(before), liveFieldsOf(after)]
  if (oldRow && newRow && haveSameFigures(oldRow, newRow)) return []
  return [...rangeOfRow(oldRow, timelineBefore), ...rangeOfRow(newRow, timeline)]
}

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
