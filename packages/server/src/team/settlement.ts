import {
  addDays,
  buildTimeline,
  type DateRange,
  dateAt,
  type EpochMs,
  type ExitSettlement,
  endingSettings,
  isWithinMembership,
  type LocalDate,
  type RecordId,
  vacationAtExit,
  yearOf,
} from '@saldo/core'
import { readSettings } from '../account/account-reads.ts'
import { balanceThrough } from '../account/month-sheet.ts'
import { readVacationEntries } from '../account/vacation.ts'
import { ProblemError } from '../http/problem.ts'
import type { UserReader } from '../store/store.ts'
import { inSlices } from '../time-slice.ts'
import { shownRecord } from './shown-fields.ts'

/**
 * Returns the open points of a member who leaves on a date (D31.5), and the changes that end their planned time: those
 * of the company, which has only the dates of the membership. Throws 409 for somebody without settings on that date.
 * `id` is that of the settings row to propose.
 */
export async function settlementOf(
  reader: UserReader,
  exitDate: LocalDate,
  { id, memberDates, nowMs }: { id: RecordId; memberDates: readonly DateRange[]; nowMs: EpochMs },
): Promise<ExitSettlement> {
  const rows = await readSettings(reader)
  const timeline = buildTimeline(rows)
  const ending = endingSettings(timeline, exitDate, id)
  if (!ending) throw new ProblemError('conflict', 'There are no working hours on the exit date.')
  // Planned days ahead, on which nobody has worked yet, are no debt.
  const yesterday = addDays(dateAt(timeline, nowMs), -1)
  const balanceOn = exitDate < yesterday ? exitDate : yesterday
  const entries = await readVacationEntries(reader, yearOf(exitDate))
  const kind = 'settings_history' as const
  const record = { ...shownRecord(kind, ending), id, updated_at: ending.updated_at }
  const later = rows.filter(
    (row) =>
      row.effective_from > exitDate &&
      isWithinMembership({ kind, content: null }, { content: { ...row } }, { rows, memberDates }),
  )
  return {
    exit_date: exitDate,
    balance_on: balanceOn,
    balance_ms: await balanceThrough(reader, timeline, balanceOn),
    vacation: await inSlices(vacationAtExit(entries, timeline, ending, exitDate)),
    changes: [
      { kind, op: 'upsert', record },
      ...later.map(({ id, updated_at }) => ({ kind, op: 'delete', id, updated_at })),
    ],
  }
}
