import {
  absenceDates,
  addDaysWithinCalendar,
  type CompanyPolicy,
  companyEventsOf,
  type DateRange,
  dateAt,
  dayStart,
  type EpochMs,
  isAccountAbsence,
  jsonEqual,
  type LocalDate,
  plannedDates,
  policyOn,
  type RequestFact,
  type Timeline,
  zoneOn,
} from '@saldo/core'
import { readTimeline } from '../account/account-reads.ts'
import type { AccountContext } from '../account/context.ts'
import type { TaskOf } from '../account/tasks.ts'
import type { UserReader, UserWriter } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import { memberRulesOf } from './member-rules.ts'
import { isWaiting, type RequestWithState, readRequests } from './waiting.ts'
import { tellWebhooks } from './webhook-events.ts'

/** The dates that facts cover, around the present date: more than colleagues see, so that they last for a while. */
const COVERED = { back: 62, ahead: 430 } as const
/** The job looks again before the covered dates end. */
const REFRESH_DAYS = 14
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
  const timeline = await readTimeline(writer)
  const today = dateAt(timeline, nowMs)
  const range = {
    from: addDaysWithinCalendar(today, -COVERED.back),
    to: addDaysWithinCalendar(today, COVERED.ahead),
  }
  const absences = (await writer.accountEntries(dateSpan(range))).filter(isAccountAbsence)
  const facts = {
    absences: absenceDates(absences, timeline, range),
    requests: await waitingRequests(
      writer,
      timeline,
      range,
      policyOn(await writer.team.policies(rules.company), today),
    ),
  }
  await writer.putTeamFacts({ company: rules.company, timeZone: zoneOn(timeline, today), ...facts })
  await tellWebhooks(writer, rules.company, companyEventsOf(user, before, facts), nowMs)
  return { task: { kind: 'team_facts' }, dueMs: dayStart(timeline, nextRefresh(today)) }
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
    from,
    to,
    days: plannedDates(timeline, { from, to }),
    isPlanned: planned,
    askedAt: created_at,
    substitute,
  }
}
