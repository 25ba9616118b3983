import {
  accountEntryOf,
  addDaysWithinCalendar,
  affectedRange,
  type Cause,
  type DateRange,
  FIRST_DATE,
  haveSameFigures,
  isGrant,
  jsonEqual,
  LAST_DATE,
  mergeRanges,
  rangeInForce,
  type Settings,
  type Timeline,
} from '@saldo/core'
import { liveFieldsOf } from '../store/stored-records.ts'
import { mapInSlices } from '../time-slice.ts'
import { causesOfChange } from './causes.ts'
import { isOf, type ReplacedRecord } from './context.ts'

/** The dates whose figures changes can alter, as ranges in order that do not overlap, and the changes. */
export interface Affected {
  ranges: DateRange[]
  causes: Cause[]
}

/**
 * Returns the dates whose figures a transaction can alter (D3.26, D3.28), by the timelines before and after it. The
 * causes are in the order of its changes.
 */
export async function affectedBy(
  replaced: readonly ReplacedRecord[],
  timelineBefore: Timeline,
  timeline: Timeline,
): Promise<Affected> {
  const affected = await mapInSlices(replaced, (record) => {
    const ranges = rangesOfChange(record, timelineBefore, timeline)
    return { ranges, causes: causesOfChange(record, ranges) }
  })
  return {
    ranges: mergeRanges(affected.flatMap(({ ranges }) => ranges)),
    causes: affected.flatMap(({ causes }) => causes),
  }
}

function rangesOfChange(record: ReplacedRecord, timelineBefore: Timeline, timeline: Timeline): DateRange[] {
  if (isOf('entries')(record)) return rangesOfEntry(record, timeline)
  if (isOf('settings_history')(record)) return rangesOfSettings(record, timelineBefore, timeline)
  return []
}

/**
 * Returns the dates of the old and of the new interval of an entry, if it changes in anything that the account reads;
 * none of a grant, which is in no day's figures.
 */
function rangesOfEntry({ before, after }: ReplacedRecord<'entries'>, timeline: Timeline): DateRange[] {
  const [oldEntry, newEntry] = [liveFieldsOf(before), liveFieldsOf(after)]
  if (oldEntry && newEntry && jsonEqual(accountEntryOf(oldEntry), accountEntryOf(newEntry))) return []
  return [oldEntry, newEntry].flatMap((entry) => {
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
