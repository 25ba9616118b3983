import {
  allDates,
  buildTimeline,
  dateAt,
  type EpochMs,
  type Settings,
  type VacationYear,
  vacationYear,
} from '@saldo/core'
import type { UserReader } from '../store/store.ts'
import { dateSpan, fieldsOf } from '../store/stored-records.ts'

/** Returns the vacation account of a year (D17.8). */
export async function vacationAccount(reader: UserReader, year: number, nowMs: EpochMs): Promise<VacationYear | null> {
  const rows = await reader.overlapping('settings_history', dateSpan(allDates))
  const timeline = buildTimeline(rows.map((record) => fieldsOf<Settings>(record)))
  const entries = await reader.accountEntries(dateSpan(allDates))
  return vacationYear(entries, timeline, dateAt(timeline, nowMs), year)
}
