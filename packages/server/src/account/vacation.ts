import {
  type AskedVacation,
  allDates,
  askedVacation,
  buildTimeline,
  dateAt,
  type EpochMs,
  policyOn,
  type UserNumber,
  type VacationYear,
  vacationYear,
} from '@saldo/core'
import type { UserReader } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import { isWaiting, readRequests } from '../team/waiting.ts'
import { readSettings } from './account-reads.ts'

/** Returns the vacation account of a year (D17.8), and apart from it what a member's waiting requests ask (D26.10). */
export async function vacationAccount(
  reader: UserReader,
  { user, year }: { user: UserNumber; year: number },
  nowMs: EpochMs,
): Promise<{ vacation: VacationYear | null; asked: AskedVacation | null }> {
  const timeline = buildTimeline(await readSettings(reader))
  const entries = await reader.accountEntries(dateSpan(allDates))
  const today = dateAt(timeline, nowMs)
  const vacation = vacationYear(entries, timeline, today, year)
  const rules = vacation && (await reader.memberRules())
  if (!vacation || !rules) return { vacation, asked: null }
  const policy = policyOn(await reader.team.policies(rules.company), today)
  const ofVacation = (await readRequests(reader, policy)).filter(
    (each) => isWaiting(each) && each.request.absence === 'vacation',
  )
  if (ofVacation.length === 0) return { vacation, asked: null }
  const waiting = ofVacation.map(({ request }) => request)
  return { vacation, asked: askedVacation(vacation, entries, timeline, today, { user, waiting }) }
}
