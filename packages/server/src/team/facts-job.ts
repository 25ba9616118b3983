import {
  absenceDates,
  addDaysWithinCalendar,
  allDates,
  type BoardFacts,
  balanceLight,
  buildTimeline,
  type CompanyPolicy,
  companyEventsOf,
  type DateRange,
  dateAt,
  datesOfWeek,
  datesWithoutEntries,
  dayStart,
  type EpochMs,
  type IdentifiedEntry,
  isAccountAbsence,
  jsonEqual,
  kindsAsked,
  type LocalDate,
  plannedDates,
  plannedOn,
  policyOn,
  type RequestFact,
  type Settings,
  type Timeline,
  vacationYear,
  weekOf,
  yearOf,
  zoneOn,
} from '@saldo/core'
import { readSettings } from '../account/account-reads.ts'
import { balanceSummary } from '../account/balance.ts'
import type { AccountContext } from '../account/context.ts'
import type { TaskOf } from '../account/tasks.ts'
import type { UserReader, UserWriter } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import { memberRulesOf } from './member-rules.ts'
import { firstKeptMonth } from './retention.ts'
import { isWaiting, type RequestWithState, readRequests } from './waiting.ts'
import { tellWebhooks } from './webhook-events.ts'

/** The dates that facts cover, around the present date: more than colleagues see, so that they last for a while. */
const COVERED = { back: 62, ahead: 430 } as const
/** The job looks again on each day: another one may have passed without entries. */
const REFRESH_DAYS = 1
/** The locked months that the board shows. */
const SHOWN_MONTHS = 24
/** The most requests that wait at once. */
const MAX_REQUESTS = 200

/**
 * Makes the rules of a member anew, and the facts from the user's own records (D30.1). Returns when to look again;
 * undefined without a membership, which leaves no facts behind.
 */
export async function runTeamFacts(
  writer: UserWriter,
  { user, nowMs }: AccountContext,
): Promise<{ task: TaskOf<'team_facts'>; dueMs: EpochMs } | undefined> {
  const rules = await memberRulesOf(writer.team, user)
  if (!jsonEqual(rules, await writer.memberRules())) await writer.putMemberRules(rules)
  const before = (await writer.team.facts([user])).get(user) ?? null
  if (!rules) {
    await writer.putTeamFacts(null)
    if (before) await tellWebhooks(writer, before.company, companyEventsOf(user, before, null), nowMs)
    return undefined
  }
  const timeline = buildTimeline(await readSettings(writer))
  const today = dateAt(timeline, nowMs)
  const range = {
    from: addDaysWithinCalendar(today, -COVERED.back),
    to: addDaysWithinCalendar(today, COVERED.ahead),
  }
  const policy = policyOn(await writer.team.policies(rules.company), today)
  await writer.pruneTrail(`${firstKeptMonth(policy.months_kept, today)}-01T00:00:00.000Z`)
  const entries = await writer.accountEntries(dateSpan(range))
  const absences = entries.filter(isAccountAbsence)
  const facts = {
    absences: absenceDates(absences, timeline, range),
    board: await boardFacts(writer, { timeline, today, nowMs, entries, joinedOn: rules.joinedOn }),
    requests: await waitingRequests(writer, timeline, range, policy),
  }
  await writer.putTeamFacts({ company: rules.company, timeZone: zoneOn(timeline, today), ...facts })
  await tellWebhooks(writer, rules.company, companyEventsOf(user, before, facts), nowMs)
  return { task: { kind: 'team_facts' }, dueMs: dayStart(timeline, nextRefresh(today)) }
}

interface MemberAccount {
  timeline: Timeline<Settings>
  today: LocalDate
  nowMs: EpochMs
  /** The entries of the covered dates. */
  entries: readonly IdentifiedEntry[]
  joinedOn: LocalDate
}

async function boardFacts(
  reader: UserReader,
  { timeline, today, nowMs, entries, joinedOn }: MemberAccount,
): Promise<BoardFacts> {
  const { locked = [], submitted = [] } = (await reader.memberMonths()) ?? {}
  // With the open days before today, since nobody has to close any.
  const { projected_balance_ms: balanceMs } = await balanceSummary(reader, nowMs)
  const weekMs = datesOfWeek(weekOf(today)).reduce((sum, date) => sum + plannedOn(timeline, date), 0)
  const first = addDaysWithinCalendar(today, -COVERED.back)
  const past = { from: joinedOn > first ? joinedOn : first, to: addDaysWithinCalendar(today, -1) }
  return {
    ...{ locked: locked.slice(-SHOWN_MONTHS), submitted, balanceMs, light: balanceLight(balanceMs, weekMs) },
    withoutEntries: past.from > past.to ? [] : datesWithoutEntries(entries, timeline, past),
    vacationLeft: await vacationLeft(reader, timeline, today),
  }
}

async function vacationLeft(
  reader: UserReader,
  timeline: Timeline<Settings>,
  today: LocalDate,
): Promise<number | null> {
  if (!timeline.some(({ vacation }) => vacation)) return null
  return vacationYear(await reader.accountEntries(dateSpan(allDates)), timeline, today, yearOf(today))?.left ?? null
}

function nextRefresh(today: LocalDate): LocalDate {
  return addDaysWithinCalendar(today, REFRESH_DAYS)
}

/** Returns the requests of a range whose present content waits for a decision, the latest first. */
async function waitingRequests(
  reader: UserReader,
  timeline: Timeline,
  range: DateRange,
  policy: CompanyPolicy,
): Promise<RequestFact[]> {
  const waiting = (await readRequests(reader, policy, dateSpan(range), MAX_REQUESTS)).filter(isWaiting)
  return waiting.map((request) => requestFact(request, timeline))
}

function requestFact({ request, digest }: RequestWithState, timeline: Timeline): RequestFact {
  const { id, asks, absence, date: from, last_date: to, planned, substitute, created_at } = request
  return {
    id,
    digest,
    asks,
    absence,
    kinds: kindsAsked(request),
    from,
    to,
    days: plannedDates(timeline, { from, to }),
    isPlanned: planned,
    askedAt: created_at,
    substitute,
  }
}
