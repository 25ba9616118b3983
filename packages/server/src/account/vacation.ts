import {
  type AskedVacation,
  type AskingRequest,
  askedVacation,
  buildTimeline,
  dateAt,
  dateInYear,
  type EpochMs,
  type IdentifiedEntry,
  type LocalDate,
  type Timeline,
  type UserNumber,
  type VacationSettings,
  type VacationYear,
  vacationSteps,
} from '@saldo/core'
import type { UserReader } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import { isWaitingFor, readRequests } from '../team/waiting.ts'
import { inSlices } from '../time-slice.ts'
import { readSettings } from './account-reads.ts'

/** The vacation account of a year, with what it was computed from. */
export interface ComputedVacation {
  account: VacationYear
  entries: readonly IdentifiedEntry[]
  timeline: Timeline<VacationSettings>
  today: LocalDate
}

/** Returns the vacation account of a year (D17.8), and apart from it what a member's waiting requests ask (D26.10). */
export async function vacationAccount(
  reader: UserReader,
  { user, year }: { user: UserNumber; year: number },
  nowMs: EpochMs,
): Promise<{ vacation: VacationYear | null; asked: AskedVacation | null }> {
  const timeline = buildTimeline(await readSettings(reader))
  const today = dateAt(timeline, nowMs)
  const vacation = await computeVacation(reader, timeline, today, year)
  const rules = vacation && (await reader.memberRules())
  if (!vacation || !rules) return { vacation: vacation?.account ?? null, asked: null }
  const { company } = rules
  const ofVacation = (await readRequests(reader, { user, timeline })).filter(
    (each) => isWaitingFor(company, each) && each.request.absence === 'vacation',
  )
  const waiting = ofVacation.map(({ request }) => request)
  const asked = waiting.length === 0 ? null : await vacationAsked(reader, vacation, { user, company, waiting })
  return { vacation: vacation.account, asked }
}

/** Computes the vacation account of a year in slices; null if it has none. */
export async function computeVacation(
  reader: UserReader,
  timeline: Timeline<VacationSettings>,
  today: LocalDate,
  year: number,
): Promise<ComputedVacation | null> {
  const entries = await readVacationEntries(reader, year)
  const account = await inSlices(vacationSteps(entries, timeline, today, year))
  return account && { account, entries, timeline, today }
}

/** Reads the entries on which the vacation account of a year depends: those of the year, and all before it. */
export function readVacationEntries(reader: UserReader, year: number): Promise<IdentifiedEntry[]> {
  return reader.accountEntries(dateSpan({ to: dateInYear(year, '12-31') }))
}

/** Computes in slices what requests of a user to a company ask of a year of their vacation account (D26.10). */
export async function vacationAsked(
  reader: UserReader,
  { account, entries, timeline, today }: ComputedVacation,
  { user, company, waiting }: { user: UserNumber; company: number; waiting: readonly AskingRequest[] },
): Promise<AskedVacation> {
  const decisions = (await reader.decisions()).filter((decision) => decision.company === company)
  const approved = decisions.filter(({ state }) => state === 'approved')
  const approvedIds = new Set(approved.map(({ request }) => request))
  const asking = waiting.map((request) => ({ ...request, wasApproved: approvedIds.has(request.id) }))
  return inSlices(askedVacation(account, entries, timeline, today, { user, waiting: asking }))
}
