import {
  type AbsenceDates,
  absenceDates,
  addDays,
  dateAt,
  datesIn,
  dayStart,
  type EpochMs,
  epochMs,
  HOUR_MS,
  isAccountAbsence,
  type LocalDate,
  plannedOn,
  type RequestFact,
  type Timeline,
  type UserNumber,
  weekdayIndex,
} from '@saldo/core'
import { readTimeline } from '../account/account-reads.ts'
import type { AccountContext } from '../account/context.ts'
import type { TaskOf } from '../account/tasks.ts'
import type { RequestReminder, TeamSentence } from '../mail/team-news.ts'
import type { UserReader, UserWriter } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import type { OwnCompany } from '../store/team/team-store.ts'
import { Deciding } from './deciding.ts'
import { countDates } from './request-dates.ts'
import { decidingRoles, requestsLeftToOthers, requestsToDecide } from './to-decide.ts'

/** The mail about the requests that wait for somebody. */
export interface InboxMail {
  company: OwnCompany
  news: TeamSentence[]
}

/** Approvers get their mail at about this time of their day. */
const HOUR_OF_MAIL = 7
/** A request that waits reminds those who decide it after these working days, and HR of those of others (D26.12). */
const REMINDER_DAYS = { own: 5, ofOthers: 10 } as const
/** Older requests have waited for long enough in any calendar. */
const MAX_DAYS_BACK = 60
/** The most requests that a mail lists. */
const MAX_LISTED = 20

/**
 * Makes the mail about the requests that wait for an approver, once on each of their working days (D26.18). Returns
 * when to look again, unless the user has no role by which they decide.
 */
export async function runInboxMail(
  writer: UserWriter,
  { last }: TaskOf<'inbox_mail'>,
  { user, nowMs }: AccountContext,
): Promise<{ rest?: { task: TaskOf<'inbox_mail'>; dueMs: EpochMs }; inboxMail?: InboxMail }> {
  const company = await writer.team.companyOf(user, nowMs)
  if (!company) return {}
  const timeline = await readTimeline(writer)
  const today = dateAt(timeline, nowMs)
  const grants = await writer.team.grants(company.companyId)
  const mayDecide = grants.some(
    (grant) =>
      grant.user === user && decidingRoles.includes(grant.role) && (grant.until === null || grant.until >= today),
  )
  if (!mayDecide) return {}
  const mailMs = dayStart(timeline, today) + HOUR_OF_MAIL * HOUR_MS
  // A role that was given today does not mail at once: the pages show all requests.
  const isTime = mailMs <= nowMs
  const isDue = isTime && last !== null && last < today
  const rest = {
    task: { kind: 'inbox_mail', last: isTime ? today : (last ?? addDays(today, -1)) } as const,
    dueMs: isTime ? dayStart(timeline, addDays(today, 1)) + HOUR_OF_MAIL * HOUR_MS : mailMs,
  }
  const news = isDue ? await waitingNews(writer, user, company.companyId, timeline, nowMs) : []
  return news.length === 0 ? { rest } : { rest, inboxMail: { company, news } }
}

async function waitingNews(
  reader: UserReader,
  user: UserNumber,
  companyId: number,
  timeline: Timeline,
  nowMs: EpochMs,
): Promise<TeamSentence[]> {
  const today = dateAt(timeline, nowMs)
  const range = { from: addDays(today, -MAX_DAYS_BACK), to: today }
  const entries = await reader.accountEntries(dateSpan(range))
  const calendar = { timeline, absences: absenceDates(entries.filter(isAccountAbsence), timeline, [range]) }
  if (!isWorkingDay(calendar, today)) return []
  const deciding = await Deciding.read(reader.team, companyId, nowMs)
  const daysWaited = ({ askedAt }: RequestFact) => {
    const asked = dateAt(timeline, epochMs(askedAt))
    if (asked < range.from) return Number.POSITIVE_INFINITY
    const between = [...datesIn({ from: addDays(asked, 1), to: addDays(today, -1) })]
    return between.filter((date) => isWorkingDay(calendar, date)).length
  }
  const own = await requestsToDecide(reader.team, user, deciding, nowMs)
  const ofOthers = (await requestsLeftToOthers(reader.team, user, deciding, nowMs)).filter(
    ({ fact }) => daysWaited(fact) >= REMINDER_DAYS.ofOthers,
  )
  const all = [
    ...own.map(({ user, fact }) => {
      const reminder: RequestReminder = daysWaited(fact) >= REMINDER_DAYS.own ? 'own' : 'none'
      return { user, fact, reminder }
    }),
    ...ofOthers.map(({ user, fact }) => ({ user, fact, reminder: 'of_others' as const })),
  ]
  if (all.length === 0) return []
  const listed = all.slice(0, MAX_LISTED)
  const names = await reader.team.names([...new Set(listed.map((each) => each.user))], companyId)
  const more = all.length - listed.length
  return [
    ...(own.length > 0 ? [{ what: 'requests_wait', count: own.length } as const] : []),
    ...listed.map(({ user, fact, reminder }): TeamSentence => {
      const askedOn = dateAt(timeline, epochMs(fact.askedAt))
      const { from, to, days } = fact
      const person = names.get(user)?.name ?? ''
      return { what: 'request_waits', person, from, to, days: countDates(days), askedOn, reminder }
    }),
    ...(more > 0 ? [{ what: 'more_wait', count: more } as const] : []),
  ]
}

/** The calendar of an approver: planned time, and their own absences with the public holidays of their region. */
interface OwnCalendar {
  timeline: Timeline
  absences: readonly AbsenceDates[]
}

/** True on a date with planned time that no absence takes whole; Monday to Friday for somebody without a schedule. */
function isWorkingDay({ timeline, absences }: OwnCalendar, date: LocalDate): boolean {
  const week = [...datesIn({ from: addDays(date, -6), to: date })]
  const hasSchedule = week.some((day) => plannedOn(timeline, day) > 0)
  if (!hasSchedule) return weekdayIndex(date) < 5
  const isAway = absences.some(({ from, to, isWholeDay }) => isWholeDay && from <= date && date <= to)
  return plannedOn(timeline, date) > 0 && !isAway
}
