import {
  addDays,
  buildTimeline,
  type Change,
  DAY_MS,
  type DateRange,
  dateAt,
  datesOfMonth,
  type EpochMs,
  type HolidaySettings,
  idInChange,
  intersections,
  isJsonObject,
  isManaged,
  isOfAbsence,
  itemAt,
  LAST_DATE,
  type LocalDate,
  type MemberMonths,
  type MemberRules,
  type Month,
  monthsIn,
  needsApproval,
  type RecordId,
  type RecordState,
  touchedDates,
  utcDate,
} from '@saldo/core'
import { type Proposal, type RecordKey, recordKeyOf, type UserReader } from '../store/store.ts'
import { trailedChange } from '../team/trailed-change.ts'
import { mapInSlices } from '../time-slice.ts'
import type { Rejection } from './limits.ts'

/** Own changes of dates further back than this are in the trail (D29.2). */
const TRAILED_AFTER_DAYS = 7

const noMonths: MemberMonths = { locked: [], submitted: [] }

type StateBefore = (change: Change) => Pick<RecordState, 'content'> | undefined

/** Holds the changes of a member to the rules of their company, while changes are applied. */
export class CompanyLimits {
  readonly #rules: MemberRules
  readonly #months: MemberMonths
  /** The live settings rows, with the changes that were applied; undefined where no change needs them. */
  #rows: HolidaySettings[] | undefined
  readonly #today: LocalDate
  /** The last change of HR to each record. */
  readonly #hrChanges: ReadonlyMap<string, Proposal>
  /** The changes of HR that those applied override, by their ids. */
  readonly #overridden = new Map<RecordId, Proposal>()

  private constructor(
    { rules, months, today }: { rules: MemberRules; months: MemberMonths; today: LocalDate },
    rows: HolidaySettings[] | undefined,
    hrChanges: ReadonlyMap<string, Proposal>,
  ) {
    this.#rules = rules
    this.#months = months
    this.#rows = rows
    this.#today = today
    this.#hrChanges = hrChanges
  }

  /** Reads the rules for changes; undefined without a company, which costs nothing. */
  static async read(
    reader: UserReader,
    changes: readonly Change[],
    stateBefore: StateBefore,
    nowMs: EpochMs,
  ): Promise<CompanyLimits | undefined> {
    const rules = await reader.memberRules()
    if (!rules) return undefined
    const { hasHrChanges } = await reader.trailHead()
    const hrChanges = hasHrChanges ? await changesByRecord(await reader.proposals()) : new Map<string, Proposal>()
    const quietFrom = quietDate(await reader.lastMemberMonth(), rules, nowMs)
    const isQuiet = (change: Change) => isQuietChange(change, stateBefore(change), quietFrom)
    if (changes.every(isQuiet)) {
      return new CompanyLimits({ rules, months: noMonths, today: utcDate(nowMs) }, undefined, hrChanges)
    }
    const months = (await reader.memberMonths()) ?? noMonths
    const rows = await reader.settingsRows()
    return new CompanyLimits({ rules, months, today: dateAt(buildTimeline(rows), nowMs) }, rows, hrChanges)
  }

  /** The changes of HR that were overridden by those applied (D28.5). */
  get overridden(): Proposal[] {
    return [...this.#overridden.values()]
  }

  /** Returns why a change that would be applied is rejected: locked months, parts that HR manages, kinds to ask for. */
  rejectionOf(change: Change, before: Pick<RecordState, 'content'> | undefined): Rejection | undefined {
    const [locked] = this.#lockedMonths(change, before)
    if (locked) return monthIsLocked(locked)
    if (isManaged(change, before, this.#rules, this.#today)) return managedByHr
    return needsApproval(change, before, this.#rules, this.#today) ? approvalNeeded : undefined
  }

  /**
   * Notes that a change was applied. Returns what the trail has of it; undefined for what it does not have, since it is
   * no log of keystrokes (D29.2).
   */
  applied(change: Change, before: Pick<RecordState, 'content'> | undefined): Record<string, unknown> | undefined {
    const byHr = this.#hrChanges.get(recordKeyOf(change))
    if (byHr) this.#overridden.set(byHr.id, byHr)
    if (!this.#rows) return undefined
    const dates = touchedDates(change, before, this.#rows)
    this.#rows = rowsAfter(this.#rows, change)
    // Whoever has left answers for the last dates as for old ones: the company has nobody there who would ask.
    const oldest = this.#hasLeft ? LAST_DATE : addDays(this.#today, -TRAILED_AFTER_DAYS)
    // Nobody of the company sees anything of other dates (D24.3).
    const ofMember = intersections(dates, this.#rules.dates)
    const isOld = ofMember.some(({ from }) => from < oldest)
    const isTrailed = isOld || monthsIn(this.#months.submitted, ofMember).length > 0
    return isTrailed ? trailedChange(change, before) : undefined
  }

  get #hasLeft(): boolean {
    return this.#today > lastDateOf(this.#rules)
  }

  #lockedMonths(change: Change, before: Pick<RecordState, 'content'> | undefined): Month[] {
    if (!this.#rows || this.#months.locked.length === 0) return []
    return monthsIn(this.#months.locked, touchedDates(change, before, this.#rows))
  }
}

/**
 * Returns the last change of HR to each record, by when it was made: proposals are accepted in any order. They were
 * valid when they were made, so that their keys are all that each write reads of tens of thousands.
 */
async function changesByRecord(proposals: readonly Proposal[]): Promise<Map<string, Proposal>> {
  const madeAt = ({ answeredAt, at }: Proposal) => answeredAt ?? at
  const made = proposals
    .filter(({ state }) => state === 'applied' || state === 'accepted')
    .toSorted((a, b) => (madeAt(a) < madeAt(b) ? -1 : 1))
  const keyed = await mapInSlices(made, (proposal) =>
    proposal.changes.map((change) => {
      const kind = isJsonObject(change) ? String(change.kind) : ''
      return [recordKeyOf({ kind, id: idInChange(change) ?? '' } as RecordKey), proposal] as const
    }),
  )
  return new Map(keyed.flat())
}

/**
 * Returns the dates that each of some changes touches. Each counts by the settings and the record that those before it
 * leave: a row that one of them hides or deletes decides what another one moves.
 */
export async function datesTouched(
  reader: UserReader,
  changes: readonly Change[],
  stateBefore: StateBefore,
): Promise<DateRange[][]> {
  let rows = await reader.settingsRows()
  const made = new Map<string, ReturnType<StateBefore>>()
  return changes.map((change) => {
    const key = recordKeyOf(change)
    const dates = touchedDates(change, made.has(key) ? made.get(key) : stateBefore(change), rows)
    rows = rowsAfter(rows, change)
    made.set(key, change.content ? { content: change.content } : undefined)
    return dates
  })
}

/** Returns the live settings rows after a change, in no order. */
function rowsAfter(rows: HolidaySettings[], { kind, id, content }: Change): HolidaySettings[] {
  if (kind !== 'settings_history') return rows
  const others = rows.filter((row) => row.id !== id)
  return content ? [...others, { ...content, id } as HolidaySettings] : others
}

/** Returns the last date of the present membership, or of the last one. */
function lastDateOf({ dates }: MemberRules): LocalDate {
  return itemAt(dates, -1).to
}

/** Returns the UTC date from which on an entry lies in no month that is not open, and in no trail. */
function quietDate(lastMonth: Month | null, rules: MemberRules, nowMs: EpochMs): LocalDate {
  const dates = [utcDate(nowMs - (TRAILED_AFTER_DAYS - 2) * DAY_MS)]
  if (lastMonth !== null) dates.push(addDays(datesOfMonth(lastMonth).to, 2))
  const last = lastDateOf(rules)
  // The zone of the user can be a day ahead of UTC, or behind it.
  if (last <= utcDate(nowMs + DAY_MS)) dates.push(addDays(last, 2))
  return dates.reduce((latest, date) => (date > latest ? date : latest))
}

/** True for the change of a present entry that is no absence: neither settings nor time zones decide anything of it. */
function isQuietChange(change: Change, before: Pick<RecordState, 'content'> | undefined, from: LocalDate): boolean {
  if (change.kind !== 'entries' || isOfAbsence(change, before)) return false
  return [before?.content, change.content].every((content) => {
    const date = content && (content.started_at ?? content.date)
    return typeof date === 'string' ? date.slice(0, 10) >= from : !content
  })
}

function monthIsLocked(month: Month): Rejection {
  return {
    code: 'locked',
    detail: `${month} is locked. Ask for a correction instead: it is made when it is approved.`,
  }
}

const managedByHr: Rejection = {
  code: 'managed',
  detail: 'Your company manages this. Ask for the change instead: it is made when it is approved.',
}

const approvalNeeded: Rejection = {
  code: 'approval_needed',
  detail: 'Your company wants to be asked for this absence first. Record a request for it instead.',
}
