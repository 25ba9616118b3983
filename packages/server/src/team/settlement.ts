import {
  addDays,
  buildTimeline,
  dateAt,
  type EpochMs,
  type ExitSettlement,
  endingSettings,
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
 * Returns the open points of a member who leaves on a date (D31.5), and the change that ends their planned time. Throws
 * 409 for somebody without settings on that date. `id` is that of the settings row to propose.
 */
export async function settlementOf(
  reader: UserReader,
  exitDate: LocalDate,
  { id, nowMs }: { id: RecordId; nowMs: EpochMs },
): Promise<ExitSettlement> {
  const timeline = buildTimeline(await readSettings(reader))
  const ending = endingSettings(timeline, exitDate, id)
  if (!ending) throw new ProblemError('conflict', 'There are no working hours on the exit date.')
  // Planned days ahead, on which nobody has worked yet, are no debt.
  const yesterday = addDays(dateAt(timeline, nowMs), -1)
  const balanceOn = exitDate < yesterday ? exitDate : yesterday
  const entries = await readVacationEntries(reader, yearOf(exitDate))
  const record = { ...shownRecord('settings_history', ending), id, updated_at: ending.updated_at }
  return {
    exit_date: exitDate,
    balance_on: balanceOn,
    balance_ms: await balanceThrough(reader, timeline, balanceOn),
    vacation: await inSlices(vacationAtExit(entries, timeline, ending, exitDate)),
    changes: [{ kind: 'settings_history', op: 'upsert', record }],
  }
}
