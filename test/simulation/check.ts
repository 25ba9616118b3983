import { isDeepStrictEqual } from 'node:util'
import {
  absenceDates,
  awayDates,
  buildTimeline,
  computeDay,
  datesOfFacts,
  datesOfMonth,
  defaultPolicy,
  type Entry,
  identifiedEntriesOf,
  intersection,
  isAccountAbsence,
  itemAt,
  LAST_DATE,
  type PeriodFigures,
  type PullResponse,
  recordKinds,
  sumFigures,
  utcDate,
  type WritableKind,
  weekOf,
} from '@saldo/core'
import { listProposals, listShownRecords } from '../../packages/client/src/queries/queries.ts'
import { isSamePosition } from '../../packages/client/src/store/rows.ts'
import { type Hr, JOINED, months } from './company.ts'
import type { Computer } from './computer.ts'
import type { User } from './service.ts'
import type { Simulation } from './simulation.ts'

/** Checks a user once everything is at rest. Returns the service's records. */
export async function check(simulation: Simulation, user: User): Promise<string> {
  if (user === simulation.users[0]) await simulation.plain?.sync()
  const { text, there } = await simulation.snapshot(user)
  // Without tags, a restore goes undetected.
  if (user === simulation.users[0] && simulation.ledgerOf(user.id).restores === 0) simulation.plain?.check(there)
  requireClosedRight(there)
  await requireAdditiveBalance(simulation, user, there)
  const excused: string[] = []
  for (const computer of simulation.computers) {
    if (!computer.users.includes(user)) continue
    requireOneLeader(simulation, computer, user)
    await requireSame(computer, user, there)
    await requireProposals(simulation, computer, user)
    const refused = await computer.diskOf(user).peek((tables) => tables.rejectedChanges.all())
    excused.push(...refused.map(({ change }) => `${change.kind} ${change.id}`))
  }
  if (simulation.hr && user === simulation.users[0]) {
    await requireLockedRight(simulation.hr, there)
    await requireFactsRight(simulation, simulation.hr, user)
  }
  simulation.ledgerOf(user.id).check(there, excused)
  return text
}

/** The balance is the sum of closed weeks and adjustments (R1.4, R2.7). */
async function requireAdditiveBalance(simulation: Simulation, user: User, { changes }: PullResponse): Promise<void> {
  const lines = [...(changes.closed_weeks ?? []), ...(changes.balance_adjustments ?? [])] as { delta_ms: number }[]
  const should = lines.reduce((sum, { delta_ms }) => sum + delta_ms, 0)
  const { balance_ms: has } = await simulation.balance(user)
  if (has !== should) throw new Error(`the balance of ${user.id} is ${has} instead of ${should}`)
}

/** The stored sheet of a locked month has what the records of the service have (D27.3, D27.4, D27.7). */
async function requireLockedRight(hr: Hr, { changes }: PullResponse): Promise<void> {
  const dayByDate = new Map((changes.closed_days ?? []).map((day) => [day.date, day]))
  for (const month of months) {
    const sheet = await hr.storedSheet(month)
    if (!sheet) continue
    for (const { date, target_ms, credited_ms, delta_ms } of sheet.days) {
      const day = dayByDate.get(date)
      if (!day) throw new Error(`locked wrong: ${date} is not closed`)
      requireFigures(`locked day ${date}`, day, { ...day, target_ms, credited_ms, delta_ms })
    }
    const adjustments = (changes.balance_adjustments ?? []).filter(({ effective_date }) =>
      effective_date.startsWith(month),
    )
    const should = adjustments.reduce((sum, { delta_ms }) => sum + delta_ms, 0)
    if (sheet.totals.adjustments_ms !== should) {
      throw new Error(`locked wrong: ${month} has adjustments of ${sheet.totals.adjustments_ms} instead of ${should}`)
    }
  }
}

/** HR sees the member away on the dates that the records of the service have (D30.1). */
async function requireFactsRight(simulation: Simulation, hr: Hr, user: User): Promise<void> {
  await simulation.runDueJobs()
  const { changes } = (await simulation.snapshot(user)).there
  const timeline = buildTimeline(changes.settings_history ?? [])
  const absences = identifiedEntriesOf((changes.entries ?? []) as Entry[]).filter(isAccountAbsence)
  const membership = { from: JOINED, to: LAST_DATE }
  const recorded = { from: JOINED, to: datesOfMonth(itemAt(months, months.length - 1)).to }
  const range = intersection(recorded, datesOfFacts(utcDate(simulation.nowMs)))
  // A year later, nobody sees it any more (D30.9).
  if (range.from > range.to) return
  const should = awayDates(
    { isOwner: false, sharedDates: [], roles: [{ role: 'hr', dates: [membership] }] },
    { today: utcDate(simulation.nowMs), memberDates: [membership] },
    { absences: absenceDates(absences, timeline, [range]), requests: [] },
    range,
    defaultPolicy,
  )
  const has = (await hr.awayDates(range)).filter(({ sight }) => sight !== 'asked')
  if (isDeepStrictEqual(has, should)) return
  throw new Error(`stale facts of ${user.id}: ${JSON.stringify(has)} instead of ${JSON.stringify(should)}`)
}

/** A change of a request, as a push has it. */
interface AskedChange {
  kind: WritableKind
  op: 'upsert' | 'delete'
  id?: string
  record?: { id: string }
}

/** The service has each change of a request that it says was approved (D27.11), with its texts. */
export function requireMade({ changes }: PullResponse, approved: string): void {
  const request = changes.entries?.find(({ id }) => id === approved)
  if (request?.kind !== 'request') throw new Error(`approved, and gone: ${approved}`)
  for (const { kind, op, id, record } of (request.changes ?? []) as unknown as AskedChange[]) {
    const stored = (changes[kind] ?? []) as unknown as Record<string, unknown>[]
    const found = stored.find((each) => each.id === (record?.id ?? id))
    const fields = Object.entries(record ?? {}).filter(([name]) => name !== 'updated_at')
    const isMade = op === 'delete' ? !found : fields.every(([name, value]) => isDeepStrictEqual(found?.[name], value))
    if (!isMade) throw new Error(`approved, and not made: ${kind} ${record?.id ?? id}`)
  }
}

/** One of the tabs syncs, and the others know how it is. */
function requireOneLeader(simulation: Simulation, computer: Computer, user: User): void {
  const tabs = computer.tabsOf(user)
  for (const { device, page, unanswered } of tabs) {
    const { phase: state, lastError } = device.activity()
    if (state !== 'idle') throw new Error(`${page.id} is ${state}: ${JSON.stringify(lastError)}`)
    if (unanswered.size > 0) throw new Error(`${page.id} has not answered the user`)
  }
  const closing = computer.tabs.find((tab) => tab.user === user && tab.isClosing && !tab.page.isGone)
  if (closing) throw new Error(`${closing.page.id} never closed`)
  if (simulation.setup.lockless) return
  const leaders = tabs.filter(({ leads }) => leads).map(({ page }) => page)
  if (leaders.length !== 1) throw new Error(`${computer.name} has ${leaders.length} leaders`)
  const holders = computer.browser.holders(`saldo-${user.id}-leader`)
  if (!isDeepStrictEqual(holders, leaders)) throw new Error(`${computer.name} is led without the lock`)
}

/** A device has what the service has, and nothing to send. */
async function requireSame(computer: Computer, user: User, there: PullResponse): Promise<void> {
  const { name } = computer.diskOf(user)
  await computer.diskOf(user).peek(async (tables) => {
    const unsent = await tables.outbox.count()
    if (unsent > 0) throw new Error(`${name} is at rest with ${unsent} unsent changes`)
    const unconfirmed = (await tables.baseRecords.unconfirmed()).length
    if (unconfirmed > 0) throw new Error(`${name} is at rest with ${unconfirmed} unconfirmed records`)
    const { position, isHistoryReset } = await tables.meta()
    if (!isSamePosition(position, there)) throw new Error(`${name} is at rest at another position`)
    if (isHistoryReset) throw new Error(`${name} is at rest with a history reset that nobody answers`)
    for (const kind of recordKinds) {
      const has = byId((await listShownRecords(tables, kind)).map(({ record }) => record))
      const should = byId(there.changes[kind] ?? [])
      if (!isDeepStrictEqual(has, should)) {
        throw new Error(`${name} differs in ${kind}: ${JSON.stringify(has)} instead of ${JSON.stringify(should)}`)
      }
    }
  })
}

/** A device proposes what the service proposes (D18.9). */
async function requireProposals(simulation: Simulation, computer: Computer, user: User): Promise<void> {
  const disk = computer.diskOf(user)
  const should = await simulation.proposals(user)
  const has = await disk.peek((tables) => listProposals(tables, user.id, simulation.nowMs))
  if (isDeepStrictEqual(has, should)) return
  throw new Error(`${disk.name} differs in proposals: ${JSON.stringify(has)} instead of ${JSON.stringify(should)}`)
}

type Named = { id: string }
const byId = (records: readonly Named[]) => records.toSorted((a, b) => (a.id < b.id ? -1 : 1))

const figureNames = ['target_ms', 'worked_ms', 'break_ms', 'deducted_break_ms', 'credited_ms', 'delta_ms'] as const

/** Checks that closed days match the account function of the records (D3). */
export function requireClosedRight({ changes }: PullResponse): void {
  const entries = (changes.entries ?? []) as Entry[]
  const timeline = buildTimeline(changes.settings_history ?? [])
  const days = changes.closed_days ?? []
  for (const day of days) requireFigures(`day ${day.date}`, day, computeDay(entries, timeline, day.date))
  const byWeek = Map.groupBy(days, ({ date }) => weekOf(date))
  for (const week of changes.closed_weeks ?? []) {
    requireFigures(`week ${week.week}`, week, sumFigures(byWeek.get(week.week) ?? []))
  }
}

function requireFigures(what: string, has: Partial<PeriodFigures>, should: PeriodFigures): void {
  for (const name of figureNames) {
    const value = has[name]
    if (value !== undefined && value !== should[name]) {
      throw new Error(`closed wrong: ${what} has ${name} ${value} instead of ${should[name]}`)
    }
  }
}
