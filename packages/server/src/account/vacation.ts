import { allDates, buildTimeline, dateAt, type EpochMs, type VacationYear, vacationYear } from '@saldo/core'
import type { UserReader } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import { readSettings } from './account-reads.ts'

/** Returns the vacation account of a year (D17.8). */
export async function vacationAccount(reader: UserReader, year: number, nowMs: EpochMs): Promise<VacationYear | null> {
  const timeline = buildTimeline(await readSettings(reader))
  const entries = await reader.accountEntries(dateSpan(allDates))
  return vacationYear(entries, timeline, dateAt(timeline, nowMs), year)
}
