import {
  allDates,
  approvedEntryId,
  awayDates,
  buildTimeline,
  coversGroup,
  type DateRange,
  dateAt,
  dateInZone,
  datesIn,
  daysAsked,
  type EpochMs,
  type Group,
  haveDate,
  type IdentifiedEntry,
  idsOnPath,
  isAccountAbsence,
  isMemberOn,
  type LocalDate,
  type Membership,
  plannedOn,
  type RecordId,
  type RequestContent,
  type RequestContext,
  type Settings,
  shareOfDay,
  TEAM_PAGE,
  type Timeline,
  type UserNumber,
  visibleDates,
  yearOf,
} from '@saldo/core'
import { readSettings } from '../account/account-reads.ts'
import { computeVacation, vacationAsked } from '../account/vacation.ts'
import type { UserReader } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import type { StoredFacts } from '../store/team/team-facts.ts'
import { mapInSlices } from '../time-slice.ts'
import type { Deciding } from './deciding.ts'
import { memberDatesOf } from './member-rules.ts'
import { ownerOf, seeingGroups, seeingRoles, viewerOf } from './sight.ts'
import { presentByDate } from './staffing.ts'
import { isWaitingFor, readRequests } from './waiting.ts'

/** A request to look at: recorded, or still to be recorded. */
interface LookedAt {
  owner: UserNumber
  viewer: UserNumber
  /** The id of the request, or one that no record has. */
  id: RecordId
  content: RequestContent
}

/**
 * Returns what asker and decider see before they ask or decide (D26.11), from a transaction of the owner. Of others it
 * has what the viewer sees of them, so that no number tells more. `deciding` has all members.
 */
export async function requestContext(
  reader: UserReader,
  looked: LookedAt,
  deciding: Deciding,
  nowMs: EpochMs,
): Promise<RequestContext> {
  const timeline = buildTimeline(await readSettings(reader))
  const today = dateAt(timeline, nowMs)
  const { content, owner, viewer } = looked
  const seenDates = viewer === owner ? [allDates] : await memberDatesOf(reader.team, owner, deciding.companyId)
  const range = { from: content.date, to: content.last_date }
  const entries = await reader.accountEntries(dateSpan(range))
  const paths = deciding.membershipsOrLast(owner, today).map(({ path }) => path)
  const ids = new Set(paths.flatMap(idsOnPath))
  const groups = await reader.team.groups(deciding.companyId)
  const blocks = await reader.team.blocks(deciding.companyId)
  return {
    days: daysOf(looked, timeline, entries, seenDates),
    vacation: await vacationOf(reader, looked, { timeline, today, company: deciding.companyId }),
    ...(await othersOf(reader, looked, { deciding, groups, range, timeline, nowMs })),
    blocked: blocks
      .filter((block) => ids.has(block.group_id) && block.from <= range.to && block.to >= range.from)
      .map(({ number: _number, ...block }) => block),
  }
}

/** Returns the days of what is asked on the dates that its viewer sees (D24.3). `entries` are those of its dates. */
function daysOf(
  { owner, id, content }: LookedAt,
  timeline: Timeline,
  entries: readonly IdentifiedEntry[],
  seenDates: readonly DateRange[],
): number {
  const absences = entries.filter(isAccountAbsence)
  const approved = new Set(
    [...datesIn({ from: content.date, to: content.last_date })].map((date) => approvedEntryId(owner, id, date)),
  )
  const sizes =
    content.asks === 'absence'
      ? daysAsked(
          content,
          timeline,
          absences.filter((one) => !approved.has(one.id)),
        )
      : absences.filter(({ kind }) => kind === content.absence).map((one) => ({ date: one.date, size: one }))
  const days = sizes
    .filter(({ date }) => haveDate(seenDates, date))
    .reduce((sum, each) => sum + shareOfDay(each.size, plannedOn(timeline, each.date)), 0)
  return Math.round(days * 1e9) / 1e9
}

interface OwnAccount {
  timeline: Timeline<Settings>
  today: LocalDate
  company: number
}

async function vacationOf(
  reader: UserReader,
  { owner, id, content }: LookedAt,
  { timeline, today, company }: OwnAccount,
): Promise<RequestContext['vacation']> {
  if (content.absence !== 'vacation') return null
  const vacation = await computeVacation(reader, timeline, today, yearOf(content.date))
  if (!vacation) return null
  const others = (await readRequests(reader, { user: owner, timeline }))
    .filter((each) => isWaitingFor(company, each) && each.request.id !== id)
    .map(({ request }) => request)
  const waiting = [...others, { ...content, id }]
  const asked = await vacationAsked(reader, vacation, { user: owner, company, waiting })
  return { left: vacation.account.left, ...asked }
}

/** The facts of so many members are read at once. */
const FACTS_PER_READ = 200

interface Others {
  deciding: Deciding
  groups: readonly Group[]
  range: DateRange
  timeline: Timeline
  nowMs: EpochMs
}

/** Returns who of the owner's groups is away, as the viewer sees it, and the dates with fewer members than shall be. */
async function othersOf(
  { team }: UserReader,
  { owner, viewer, content }: LookedAt,
  { deciding, groups, range, timeline, nowMs }: Others,
): Promise<Pick<RequestContext, 'away' | 'short_staffed'>> {
  const ownToday = dateAt(timeline, nowMs)
  const own = new Set(deciding.membershipsOn(owner, ownToday).map(({ groupId }) => groupId))
  const grants = deciding.grants.filter((grant) => grant.user === viewer)
  // For colleagues, members are those of the present date (D25.4).
  const isListed = (membership: Membership) =>
    isMemberOn(membership, ownToday) ||
    grants.some((grant) => seeingRoles.includes(grant.role) && coversGroup(grant, membership.path))
  const ofGroups = deciding.memberships.filter((membership) => own.has(membership.groupId) && isListed(membership))
  const members = [...new Set(ofGroups.map(({ user }) => user))].filter((user) => user !== owner)
  const facts = new Map<UserNumber, StoredFacts>()
  // In pieces: reading the facts of thousands at once would keep others waiting.
  for (let at = 0; at < members.length; at += FACTS_PER_READ) {
    for (const [user, ofUser] of await team.facts(members.slice(at, at + FACTS_PER_READ))) facts.set(user, ofUser)
  }
  const looking = {
    user: viewer,
    memberships: deciding.membershipsOf(viewer),
    grants,
    seeing: seeingGroups(groups),
  }
  const seenOrNot = await mapInSlices(members, (user) => {
    const ofUser = facts.get(user)
    if (!ofUser) return undefined
    const today = dateInZone(nowMs, ofUser.timeZone)
    const memberships = deciding.membershipsOf(user)
    const relation = viewerOf(looking, user, memberships)
    const dates = awayDates(relation, ownerOf(memberships, today), ofUser, range, deciding.policyOn(today))
    return { user, dates }
  })
  const seen = seenOrNot.filter((one) => one !== undefined)
  const away = seen.filter(({ dates }) => dates.length > 0)
  const names = await team.names(
    away.map(({ user }) => user),
    deciding.companyId,
  )
  const named = away
    .map(({ user, dates }) => ({ user_id: user, name: names.get(user)?.name ?? '', dates }))
    .toSorted((a, b) => a.name.localeCompare(b.name) || a.user_id - b.user_id)
  const isAbsence = content.asks === 'absence'
  return {
    away: named.slice(0, TEAM_PAGE),
    short_staffed: isAbsence
      ? shortDates(
          deciding,
          groups.filter(({ id }) => own.has(id)),
          seen,
          { range, timeline },
        )
      : [],
  }
}

/** Returns the dates on which a group would have fewer members than it shall have if the owner were away too. */
function shortDates(
  deciding: Deciding,
  groups: readonly Group[],
  seen: readonly { user: UserNumber; dates: { from: LocalDate; to: LocalDate; sight: string }[] }[],
  { range, timeline }: Pick<Others, 'range' | 'timeline'>,
): RequestContext['short_staffed'] {
  const present = groups.flatMap(({ id, leastPresent }) => {
    if (leastPresent === null) return []
    const members = seen.map(({ user, dates }) => ({
      memberDates: deciding
        .membershipsOf(user)
        .flatMap((membership) => (membership.groupId === id ? (visibleDates(membership) ?? []) : [])),
      awayDates: dates.filter(({ sight }) => sight === 'away'),
    }))
    return [{ least: leastPresent, byDate: presentByDate(range, members) }]
  })
  return [...datesIn(range)].flatMap((date) => {
    if (plannedOn(timeline, date) === 0) return []
    const short = present.flatMap(({ least, byDate }) => {
      const count = byDate.get(date) ?? 0
      return count < least ? [{ date, present: count, least }] : []
    })
    return short.slice(0, 1)
  })
}
