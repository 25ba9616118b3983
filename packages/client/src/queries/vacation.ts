import {
  buildTimeline,
  type Entry,
  identifiedEntriesOf,
  isTimed,
  type LocalDate,
  type Settings,
  type VacationYear,
  vacationYear,
  yearOf,
} from '@saldo/core'

/** The records that the vacation account reads. */
export interface VacationRecords {
  settings: readonly Settings[]
  entries: readonly Entry[]
}

/** A year whose vacation account a change of settings would alter. Null stands for a year without an account. */
export interface AlteredVacation {
  year: number
  before: VacationYear | null
  after: VacationYear | null
}

/** Returns the vacation account of a year; null if it has none (D17.7). */
export function vacationOf({ settings, entries }: VacationRecords, today: LocalDate, year: number) {
  const read = identifiedEntriesOf(entries.filter((entry) => !isTimed(entry)))
  return vacationYear(read, buildTimeline(settings), today, year)
}

/**
 * Returns the vacation account before and after a change: of this year, or of the next if only that is altered; null
 * if neither is. An account is altered if its entitlement or its days left are others.
 */
export function alteredVacation(
  recordsBefore: VacationRecords,
  recordsAfter: VacationRecords,
  today: LocalDate,
): AlteredVacation | null {
  const thisYear = yearOf(today)
  for (const year of [thisYear, thisYear + 1]) {
    const before = vacationOf(recordsBefore, today, year)
    const after = vacationOf(recordsAfter, today, year)
    if (before?.entitled !== after?.entitled || before?.left !== after?.left) return { year, before, after }
  }
  return null
}
