import { type Entry, type EpochMs, type Interval, isTimed } from '@saldo/core'
import type { ShownRecord } from '../engine/shown-record.ts'
import { type PartInDay, partIn, type TimedRecord } from './parts.ts'

/** An entry of which some part lies in the day. */
export interface TimedRow {
  record: TimedRecord
  pending: boolean
  part: PartInDay
}

/** Returns the timed entries of a day in the order of their starts. */
export function timedIn(rows: readonly ShownRecord<Entry>[], window: Interval, nowMs: EpochMs): TimedRow[] {
  return rows.flatMap((row) => timedRow(row, window, nowMs)).sort(byStart)
}

function timedRow({ record, pending }: ShownRecord<Entry>, window: Interval, nowMs: EpochMs): TimedRow[] {
  if (!isTimed(record)) return []
  const part = partIn(record, window, nowMs)
  return part ? [{ record, pending, part }] : []
}

function byStart(a: TimedRow, b: TimedRow): number {
  return a.part.whole.start - b.part.whole.start || (a.record.id < b.record.id ? -1 : 1)
}
