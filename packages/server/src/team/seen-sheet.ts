import { hash } from 'node:crypto'
import {
  type CompanyPolicy,
  datesIn,
  datesOfMonth,
  type EpochMs,
  type FactOwner,
  type Month,
  type MonthSheet,
  type Sight,
  type StoredSheet,
  sightOf,
  type TeamFact,
  type UserNumber,
  utcDate,
  type Viewer,
} from '@saldo/core'
import { monthSheet } from '../account/month-sheet.ts'
import type { UserReader } from '../store/store.ts'
import { Deciding } from './deciding.ts'
import { ownerOf, seeingGroups, viewerOf } from './sight.ts'

type StoredDay = StoredSheet['days'][number]

/** Somebody who looks at the sheet of a member, with the member and the policy in force. */
export interface SheetLook {
  viewer: Viewer
  owner: FactOwner
  policy: CompanyPolicy
}

/** Returns how somebody of a company looks at the months of a member (D25.1). */
export async function lookAtMonths(
  reader: UserReader,
  { viewer, owner, company }: { viewer: UserNumber; owner: UserNumber; company: number },
  nowMs: EpochMs,
): Promise<SheetLook> {
  const deciding = await Deciding.read(reader.team, company, nowMs, [viewer, owner])
  const today = utcDate(nowMs)
  const looking = {
    user: viewer,
    memberships: deciding.membershipsOf(viewer),
    grants: deciding.grants.filter((grant) => grant.user === viewer),
    seeing: seeingGroups(await reader.team.groups(company)),
  }
  const memberships = deciding.membershipsOf(owner)
  return {
    viewer: viewerOf(looking, owner, memberships),
    owner: ownerOf(memberships, today),
    policy: deciding.policyOn(today),
  }
}

/** Returns the digest of what a sheet shows, without the version, which changes with records of other dates. */
export function digestOfSheet(sheet: StoredSheet): string {
  return hash('sha256', JSON.stringify({ ...sheet, version: 0, check_code: '' }), 'hex')
}

/** Returns the digest of the figures that somebody submits with a month; null if it lies outside their account. */
export async function submittedDigest(reader: UserReader, month: Month): Promise<string | null> {
  const sheet = await monthSheet(reader, month)
  // The balances follow from other months, which are locked by themselves.
  return sheet ? digestOfSheet({ ...sheet, balance_in_ms: 0, balance_out_ms: 0 }) : null
}

/** Returns the digest of the sheet of a month that is not locked, as somebody sees it; null if they see no sheet. */
export async function seenDigest(reader: UserReader, month: Month, look: SheetLook): Promise<string | null> {
  const sheet = (await monthSheet(reader, month)) ?? null
  const row = { month, state: 'open' as const, changed_by: null, changed_at: null, reason: null, check_code: null }
  const whole = { ...row, carried_differs: false, is_stored: false, shows_balance: true, digest: null, remarks: [] }
  const seen = seenSheet({ ...whole, sheet }, look)?.sheet
  return seen ? digestOfSheet(seen) : null
}

/** True if somebody sees anything of a member's month: where they do not, its size shows in no time that it takes. */
export function seesMonth(month: Month, { viewer, owner, policy }: SheetLook): boolean {
  const sees = (fact: TeamFact) => sightOf(viewer, owner, fact, policy) !== 'nothing'
  return [...datesIn(datesOfMonth(month))].some((date) => sees({ kind: 'sheet', date }) || sees({ kind: 'day', date }))
}

/**
 * Returns the part of a member's sheet that somebody sees (D25.1, D25.7); undefined if they see nothing of the month.
 * Whoever sees a part gets no check code: with it, guesses of the rest could be proved.
 */
export function seenSheet(whole: MonthSheet, { viewer, owner, policy }: SheetLook): MonthSheet | undefined {
  const full = viewer.isOwner ? whole : withoutPosition(whole)
  const sightOfFact = (fact: TeamFact) => sightOf(viewer, owner, fact, policy)
  const dates = [...datesIn(datesOfMonth(full.month))]
  const seesAll = (date: StoredDay['date']) => isWithTimes(sightOfFact({ kind: 'sheet', date }))
  if (dates.some(seesAll) && (full.sheet?.days ?? []).every(({ date }) => seesAll(date))) return full
  const sights = new Map(dates.map((date) => [date, sightOfFact({ kind: 'day', date })]))
  if ([...sights.values()].every((sight) => sight === 'nothing')) return undefined
  const row = { ...full, check_code: null }
  if (!full.sheet) return { ...row, shows_balance: false, carried_differs: false }

  const { sheet } = full
  const seesKind = (date: StoredDay['date'], absence: StoredDay['absences'][number]['kind']) =>
    sightOfFact({ kind: 'absence', date, absence, isWholeDay: true }) === 'kind'
  const days = sheet.days.flatMap((day): StoredDay[] => {
    const sight = sights.get(day.date) ?? 'nothing'
    if (sight === 'nothing') return []
    // Of several kinds none is named: one that is hidden would show in what the others leave.
    const seen = day.absences.every(({ kind }) => seesKind(day.date, kind)) ? day : withoutKinds(day)
    return [isWithTimes(sight) ? seen : { ...seen, blocks: [], absences: [] }]
  })
  const isCut = days.length < sheet.days.length
  const adjustments = sheet.adjustments.flatMap((one) => {
    const sight = sights.get(one.date) ?? 'nothing'
    // The reason is a text of the member, and nobody sees notes of others.
    return isWithTimes(sight) ? [{ ...one, reason: '' }] : []
  })
  const totals = totalsOf(days, isCut ? adjustments : sheet.adjustments)
  const balances = dates.map((date) => sightOfFact({ kind: 'balance', date }))
  const showsBalance = !isCut && balances.some((sight) => sight === 'figure' || sight === 'all')
  const shown = { ...sheet, days, adjustments, totals, absences: sumsOf(days), check_code: '' }
  if (showsBalance) return { ...row, sheet: shown }
  const withoutBalances = { balance_in_ms: 0, balance_out_ms: totals.delta_ms + totals.adjustments_ms }
  return { ...row, shows_balance: false, carried_differs: false, sheet: { ...shown, ...withoutBalances } }
}

/** Returns a month that is not stored without what changes with each record of the member, also of other dates. */
function withoutPosition({ sheet, ...row }: MonthSheet): MonthSheet {
  return { ...row, sheet: sheet && (row.is_stored ? sheet : { ...sheet, version: 0, check_code: '' }) }
}

/**
 * Returns a day without what tells the kinds of its absences: some credit time, and others lower the target. All lower
 * it here, which leaves the difference as it is.
 */
function withoutKinds(day: StoredDay): StoredDay {
  return { ...day, target_ms: day.target_ms - day.credited_ms, credited_ms: 0, absences: [] }
}

function isWithTimes(sight: Sight): boolean {
  return sight === 'times' || sight === 'all'
}

function totalsOf(days: readonly StoredDay[], adjustments: StoredSheet['adjustments']): StoredSheet['totals'] {
  const total = (figure: 'target_ms' | 'worked_ms' | 'credited_ms' | 'delta_ms') =>
    days.reduce((sum, day) => sum + day[figure], 0)
  return {
    target_ms: total('target_ms'),
    worked_ms: total('worked_ms'),
    credited_ms: total('credited_ms'),
    delta_ms: total('delta_ms'),
    adjustments_ms: adjustments.reduce((sum, { delta_ms }) => sum + delta_ms, 0),
  }
}

function sumsOf(days: readonly StoredDay[]): StoredSheet['absences'] {
  const byKind = Map.groupBy(
    days.flatMap(({ absences }) => absences),
    ({ kind }) => kind,
  )
  return [...byKind].map(([kind, times]) => {
    const inDays = times.reduce((sum, one) => sum + one.days, 0)
    return { kind, days: Math.round(inDays * 1e9) / 1e9, ms: times.reduce((sum, { ms }) => sum + ms, 0) }
  })
}
