import {
  absenceDates,
  addDaysWithinCalendar,
  allDates,
  type BoardFacts,
  balanceLight,
  buildTimeline,
  COLLEAGUE_DAYS,
  companyEventsOf,
  type DateRange,
  dateAt,
  datesOfWeek,
  datesWithoutEntries,
  dayStart,
  type EpochMs,
  FACT_DAYS,
  haveDate,
  type IdentifiedEntry,
  intersections,
  isAccountAbsence,
  jsonEqual,
  type LocalDate,
  type MemberRules,
  plannedDates,
  plannedOn,
  type RequestFact,
  rangeToSettle,
  type Settings,
  type Timeline,
  type UserNumber,
  weekOf,
  yearOf,
  zoneOn,
} from '@saldo/core'
import { readSettings } from '../account/account-reads.ts'
import { balanceSummary } from '../account/balance.ts'
import type { AccountContext } from '../account/context.ts'
import type { TaskOf } from '../account/tasks.ts'
import { computeVacation } from '../account/vacation.ts'
import type { UserReader, UserWriter } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import { inSlices, mapInSlices } from '../time-slice.ts'
import { memberRulesOf } from './member-rules.ts'
import { keptSinceByCompany } from './retention.ts'
import { isWaitingFor, type RequestWithState, readRequests } from './waiting.ts'
import { tellWebhooks } from './webhook-events.ts'

/** The job looks again on each day: another one may have passed without entries. */
const REFRESH_DAYS = 1
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
    const change = { before, after: null, shownDates: [allDates] }
    if (before) await tellWebhooks(writer, before.company, companyEventsOf(user, change), nowMs)
    return undefined
  }
  const timeline = buildTimeline(await readSettings(writer))
  const today = dateAt(timeline, nowMs)
  const range = rangeAroundToday(today, FACT_DAYS)
  // Of other dates, nobody of the company learns anything, nor that it has changed (D24.3).
  const shownDates = intersections(rules.dates, [rangeAroundToday(today, COLLEAGUE_DAYS)])
  const isPresent = haveDate(rules.dates, today)
  await writer.pruneTrail(await keptSinceByCompany(writer.team, user, today))
  const entries = await writer.accountEntries(dateSpan(range))
  const absences = entries.filter(isAccountAbsence)
  const facts = {
    absences: absenceDates(absences, timeline, intersections(rules.dates, [range])),
    board: await boardFacts(writer, { timeline, today, nowMs, entries, memberDates: rules.dates, isPresent }),
    // Those who decided them go on, while the membership is to be settled (D28.6).
    requests:
      isPresent || rangeToSettle(rules.dates, today)
        ? await waitingRequests(writer, { user, rules, timeline }, range)
        : [],
  }
  await writer.putTeamFacts({ company: rules.company, timeZone: zoneOn(timeline, today), shownDates, ...facts })
  // The facts of a former company are no news for the present one.
  const change = { before: before?.company === rules.company ? before : null, after: facts, shownDates }
  await tellWebhooks(writer, rules.company, companyEventsOf(user, change), nowMs)
  return { task: { kind: 'team_facts' }, dueMs: dayStart(timeline, nextRefresh(today)) }
}

interface MemberAccount {
  timeline: Timeline<Settings>
  today: LocalDate
  nowMs: EpochMs
  /** The entries of the covered dates. */
  entries: readonly IdentifiedEntry[]
  memberDates: readonly DateRange[]
  /** True if they are a member on the present date. */
  isPresent: boolean
}

async function boardFacts(
  reader: UserReader,
  { timeline, today, nowMs, entries, memberDates, isPresent }: MemberAccount,
): Promise<BoardFacts> {
  const { locked = [], submitted = [] } = (await reader.memberMonths()) ?? {}
  const past = { from: addDaysWithinCalendar(today, -FACT_DAYS.back), to: addDaysWithinCalendar(today, -1) }
  return {
    ...{ locked, submitted },
    ...(isPresent ? await presentFacts(reader, timeline, today, nowMs) : nothingPresent),
    withoutEntries: await inSlices(datesWithoutEntries(entries, timeline, intersections(memberDates, [past]))),
  }
}

/** Of whoever is no member now, no board shows anything of the present (D25.12). */
const nothingPresent = { balanceMs: 0, light: 'green', vacationLeft: null } as const

async function presentFacts(
  reader: UserReader,
  timeline: Timeline<Settings>,
  today: LocalDate,
  nowMs: EpochMs,
): Promise<Pick<BoardFacts, 'balanceMs' | 'light' | 'vacationLeft'>> {
  // With the open days before today, since nobody has to close any.
  const { projected_balance_ms: balanceMs } = await balanceSummary(reader, nowMs)
  const weekMs = datesOfWeek(weekOf(today)).reduce((sum, date) => sum + plannedOn(timeline, date), 0)
  const light = balanceLight(balanceMs, weekMs)
  return { balanceMs, light, vacationLeft: await vacationLeft(reader, timeline, today) }
}

function rangeAroundToday(today: LocalDate, { back, ahead }: { back: number; ahead: number }): DateRange {
  return { from: addDaysWithinCalendar(today, -back), to: addDaysWithinCalendar(today, ahead) }
}

async function vacationLeft(
  reader: UserReader,
  timeline: Timeline<Settings>,
  today: LocalDate,
): Promise<number | null> {
  if (!timeline.some(({ vacation }) => vacation)) return null
  return (await computeVacation(reader, timeline, today, yearOf(today)))?.account.left ?? null
}

function nextRefresh(today: LocalDate): LocalDate {
  return addDaysWithinCalendar(today, REFRESH_DAYS)
}

/** Returns the requests of a range whose present content waits for a decision of a company, the latest first. */
async function waitingRequests(
  reader: UserReader,
  { rules, ...asking }: { user: UserNumber; rules: MemberRules; timeline: Timeline },
  range: DateRange,
): Promise<RequestFact[]> {
  const requests = await readRequests(reader, asking, dateSpan(range), MAX_REQUESTS)
  const waiting = requests.filter((request) => isWaitingFor(rules.company, request))
  return mapInSlices(waiting, (request) => requestFact(request, asking.timeline, rules.dates))
}

function requestFact(
  { request, kinds, digest }: RequestWithState,
  timeline: Timeline,
  memberDates: readonly DateRange[],
): RequestFact {
  const { id, asks, absence, date: from, last_date: to, planned, substitute, created_at } = request
  return {
    id,
    digest,
    asks,
    absence,
    kinds,
    from,
    to,
    days: intersections(plannedDates(timeline, { from, to }), memberDates),
    isPlanned: planned,
    askedAt: created_at,
    substitute,
  }
}
