import { setTimeout } from 'node:timers/promises'
import {
  addDays,
  type Clock,
  type DurationMs,
  dateInZone,
  datesOfMonth,
  type EpochMs,
  FIRST_DATE,
  hasDate,
  instantOf,
  intersections,
  type LocalDate,
  type MemberRules,
  type Month,
  type MonthAction,
  type MonthResult,
  type MonthRow,
  type MonthSheet,
  type MonthsInput,
  monthAfter,
  monthsOf,
  type OwnMonths,
  policyOn,
  type RecordId,
  type RemarkRow,
  type UserNumber,
} from '@saldo/core'
import { readTimeline } from '../account/account-reads.ts'
import { balanceThrough, monthSheet, sheetDates } from '../account/month-sheet.ts'
import { ProblemError } from '../http/problem.ts'
import type { SqlDriver } from '../store/sql.ts'
import {
  type LockedSheet,
  type RecordStore,
  type Remark,
  type StoredMonth,
  UnknownUserError,
  type UserReader,
  type UserWriter,
} from '../store/store.ts'
import { TeamStore } from '../store/team/team-store.ts'
import { noteLook } from './looks.ts'
import { actOnMonth, companyOfMonth } from './month-states.ts'
import { digestOfSheet, lookAtMonths, seenSheet, seesMonth } from './seen-sheet.ts'

/** The longest rest between two people of a request for many, on a slow host too. */
const MAX_REST_MS = 20
/** The most remarks of a user. */
const MAX_REMARKS = 1_000

/** Months of the members of a company: their states and sheets (D27). */
export class TeamMonths {
  readonly #records: RecordStore
  readonly #team: TeamStore
  readonly #clock: Clock
  readonly #quotaBytes: number

  constructor({
    records,
    driver,
    clock,
    quotaBytes,
  }: {
    records: RecordStore
    driver: SqlDriver
    clock: Clock
    quotaBytes: number
  }) {
    this.#quotaBytes = quotaBytes
    this.#records = records
    this.#team = new TeamStore(driver)
    this.#clock = clock
  }

  /** Returns the months of a member from joining on, the latest first. Throws 404 for whoever is no member. */
  own(user: UserNumber): Promise<OwnMonths> {
    return this.#records.read(user, async (reader) => {
      const rules = await reader.memberRules()
      if (!rules) throw new ProblemError('not_found', 'You belong to no company.')
      const today = dateInZone(this.#clock.now(), 'UTC')
      const past = intersections(rules.dates, [{ from: FIRST_DATE, to: today }])
      const policy = policyOn(await reader.team.policies(rules.company), today)
      return {
        items: await monthRows(reader, monthsOf(past), await reader.lastSheets()),
        months_kept: policy.months_kept,
      }
    })
  }

  /** Submits or withdraws an own month. Throws 404, 409, and `quota_exceeded`. */
  async actOnOwn(user: UserNumber, month: Month, action: 'submit' | 'withdraw'): Promise<void> {
    const nowMs = this.#clock.now()
    const act = { actor: user, owner: user, month, action, reason: null, digest: null }
    const done = await this.#records.write(user, async (writer) => {
      if (action === 'submit') await this.#requireRoom(writer)
      return actOnMonth(writer, act, nowMs)
    })
    if (done.outcome === 'not_found') throw noMonth()
    if (done.outcome === 'rejected') throw new ProblemError('conflict', done.detail)
  }

  /** Locks, reopens or returns a month of members, one after another: one that fails stops no other (D27.13). */
  async actOnMany(
    actor: UserNumber,
    month: Month,
    action: Exclude<MonthAction, 'submit' | 'withdraw'>,
    { users, reason, digests }: MonthsInput,
  ): Promise<MonthResult[]> {
    await this.#requireCompany(actor)
    const digestByUser = new Map(digests.map(({ user_id, digest }) => [user_id, digest]))
    const results: MonthResult[] = []
    for (const owner of users) {
      const startMs = performance.now()
      const nowMs = this.#clock.now()
      const act = { actor, owner, month, action, reason, digest: digestByUser.get(owner) ?? null }
      const done = await ofNobody(() => this.#records.write(owner, (writer) => actOnMonth(writer, act, nowMs)))
      results.push(
        done === undefined || done.outcome === 'not_found'
          ? { user_id: owner, outcome: 'rejected', detail: 'This is nobody of yours.', refusal: 'not_allowed' }
          : { user_id: owner, ...done },
      )
      // Others have half of the time: a lock takes the thread for milliseconds, and a request needs several turns.
      await setTimeout(Math.min(MAX_REST_MS, performance.now() - startMs))
    }
    return results
  }

  /** Returns the own sheet of a month. Throws 404 for whoever is no member. */
  ownSheet(user: UserNumber, month: Month): Promise<MonthSheet> {
    const nowMs = this.#clock.now()
    return this.#records.read(user, async (reader) => {
      if (!(await reader.memberRules())) throw noMonth()
      return sheetWithState(reader, month, nowMs)
    })
  }

  /**
   * Returns the sheet of a month of a member as far as the viewer sees it, and notes the look (D29.5). Throws 404 for
   * whoever sees nothing of it.
   */
  async sheetOf(viewer: UserNumber, owner: UserNumber, month: Month): Promise<MonthSheet> {
    const company = await this.#requireCompany(viewer)
    const nowMs = this.#clock.now()
    const seen = await ofNobody(() =>
      this.#records.write(owner, async (writer) => {
        const look = await lookAtMonths(writer, { viewer, owner, company }, nowMs)
        if (!seesMonth(month, look)) return undefined
        const seen = seenSheet(await sheetForCompany(writer, month, company, nowMs), look)
        if (!seen) return undefined
        await noteLook(writer, { viewer, company, kind: 'sheet_read', month }, nowMs)
        return { ...seen, digest: seen.sheet && !seen.is_stored ? digestOfSheet(seen.sheet) : null }
      }),
    )
    if (!seen) throw noMonth()
    return seen
  }

  remarks(user: UserNumber): Promise<RemarkRow[]> {
    return this.#records.read(user, async (reader) => (await reader.remarks()).map(remarkRow))
  }

  /**
   * Adds a remark to an own month. Repeating it with the same id changes nothing. Throws 404, 409, and
   * `quota_exceeded`.
   */
  async addRemark(user: UserNumber, { id, month, text }: Omit<RemarkRow, 'at'>): Promise<RemarkRow> {
    const remark = { id, month, text, at: instantOf(this.#clock.now()) }
    return this.#records.write(user, async (writer) => {
      const company = await companyOfMonth(writer, month)
      if (company === undefined) throw noMonth()
      const own = await writer.remarks()
      const same = own.find((each) => each.id === id)
      if (same) return remarkRow(same)
      if (own.length >= MAX_REMARKS) throw new ProblemError('conflict', 'There are too many remarks. Remove one first.')
      await this.#requireRoom(writer)
      await writer.putRemark({ ...remark, company })
      await writer.addTrail(company, [{ actor: user, kind: 'remark_added', data: { month } }])
      return remark
    })
  }

  /** Removes an own remark. Throws 404. */
  async removeRemark(user: UserNumber, id: RecordId): Promise<void> {
    await this.#records.write(user, async (writer) => {
      const remark = (await writer.remarks()).find((each) => each.id === id)
      if (!remark) throw new ProblemError('not_found', 'This remark does not exist.')
      await writer.deleteRemark(id)
      await writer.addTrail(remark.company, [{ actor: user, kind: 'remark_removed', data: { month: remark.month } }])
    })
  }

  /** The trail of what a user does counts as stored bytes of theirs, so that it does not grow without end (D6.22). */
  async #requireRoom(writer: UserWriter): Promise<void> {
    if ((await writer.storedBytes()) < this.#quotaBytes) return
    throw new ProblemError('quota_exceeded', 'Your storage is full. Delete records, then try again.')
  }

  async #requireCompany(user: UserNumber): Promise<number> {
    const company = await this.#team.companyOf(user, this.#clock.now())
    if (!company) throw new ProblemError('not_found', 'You belong to no company.')
    return company.companyId
  }
}

/** Returns the rows of months in their order, the latest first. */
async function monthRows(
  reader: UserReader,
  months: readonly Month[],
  lastSheets: readonly LockedSheet[],
): Promise<MonthRow[]> {
  const stored = new Map((await reader.months()).map((row) => [row.month, row]))
  const sheets = new Map(lastSheets.map((row) => [row.sheet.month, row]))
  const carried = await carriedDifferences(reader, stored, sheets)
  const nameIn = await reader.team.namesIn([...stored.values()].map(({ by: user, company }) => ({ user, company })))
  const rows = months.map((month) =>
    monthRow(month, stored.get(month), sheets.get(month), { nameIn, carriedDiffers: carried.has(month) }),
  )
  return rows.reverse()
}

function monthRow(
  month: Month,
  stored: StoredMonth | undefined,
  locked: LockedSheet | undefined,
  { nameIn, carriedDiffers }: { nameIn: (user: UserNumber, company: number) => string; carriedDiffers: boolean },
): MonthRow {
  const isLocked = stored?.state === 'locked'
  return {
    month,
    state: stored?.state ?? 'open',
    changed_by: stored ? { user_id: stored.by, name: nameIn(stored.by, stored.company) } : null,
    changed_at: stored?.at ?? null,
    reason: stored?.reason ?? null,
    check_code: isLocked ? (locked?.sheet.check_code ?? null) : null,
    carried_differs: isLocked && carriedDiffers,
  }
}

/**
 * Returns the locked months whose sheets carry in another balance than the account has now (D27.12). Behind a locked
 * month the balance follows from its sheet, so that few balances are computed.
 */
async function carriedDifferences(
  reader: UserReader,
  stored: ReadonlyMap<Month, StoredMonth>,
  sheets: ReadonlyMap<Month, LockedSheet>,
): Promise<Set<Month>> {
  const locked = [...sheets.values()].filter(({ sheet }) => stored.get(sheet.month)?.state === 'locked')
  if (locked.length === 0) return new Set()
  const timeline = await readTimeline(reader)
  const rules = await reader.memberRules()
  const differing = new Set<Month>()
  let before: { month: Month; first: LocalDate; outMs: DurationMs } | undefined
  for (const { sheet } of locked) {
    const first = sheetDates(sheet.month, rules)[0]?.from
    // The month of another company, which alone marks its sheets.
    if (first === undefined) continue
    const follows = before && monthAfter(before.month, 1) === sheet.month && isOneMembership(rules, before.first, first)
    const inMs: DurationMs =
      before && follows ? before.outMs : await balanceThrough(reader, timeline, addDays(first, -1))
    if (inMs !== sheet.balance_in_ms) differing.add(sheet.month)
    before = { month: sheet.month, first, outMs: inMs + sheet.totals.delta_ms + sheet.totals.adjustments_ms }
  }
  return differing
}

/** True if a user was a member on all dates between two. */
function isOneMembership(rules: MemberRules | null, first: LocalDate, last: LocalDate): boolean {
  return !rules || rules.dates.some((range) => hasDate(range, first) && hasDate(range, last))
}

async function sheetWithState(reader: UserReader, month: Month, nowMs: EpochMs): Promise<MonthSheet> {
  const sheets = await reader.lastSheets(month)
  const [row] = await monthRows(reader, [month], sheets)
  if (!row) throw new Error('a month has a row')
  const locked = row.state === 'locked' ? sheets[0] : undefined
  const hasBegun = datesOfMonth(month).from <= dateInZone(nowMs, 'UTC')
  const current = locked || !hasBegun ? undefined : await monthSheet(reader, month)
  return {
    ...row,
    is_stored: locked !== undefined,
    shows_balance: true,
    sheet: locked?.sheet ?? current ?? null,
    digest: null,
    remarks: (await reader.remarks()).filter((remark) => remark.month === month).map(remarkRow),
  }
}

function remarkRow({ id, month, text, at }: Remark): RemarkRow {
  return { id, month, text, at }
}

/**
 * Returns the sheet of a month for a company: its own stored one, or the month as it is now of somebody who belongs to
 * it, with what was said for this company. Of a month of another company it has the state alone: whoever changes in a
 * month has dates in both.
 */
async function sheetForCompany(reader: UserReader, month: Month, company: number, nowMs: EpochMs): Promise<MonthSheet> {
  const full = await sheetWithState(reader, month, nowMs)
  const nobodyChanged = { changed_by: null, changed_at: null, reason: null }
  if ((await companyOfMonth(reader, month)) !== company) {
    const noSheet = { is_stored: false, sheet: null, check_code: null, carried_differs: false }
    return { ...full, ...nobodyChanged, ...noSheet, remarks: [] }
  }
  const changed = (await reader.months()).find((row) => row.month === month)
  const remarks = (await reader.remarks()).filter((remark) => remark.month === month && remark.company === company)
  return { ...full, ...(changed?.company !== company && nobodyChanged), remarks: remarks.map(remarkRow) }
}

async function ofNobody<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UnknownUserError) return undefined
    throw error
  }
}

function noMonth(): ProblemError {
  return new ProblemError('not_found', 'This month does not exist.')
}
