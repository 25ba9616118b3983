import { hash } from 'node:crypto'
import {
  type AccountTrailContent,
  type AccountTrailEntry,
  type AccountTrailPage,
  type Clock,
  type DateRange,
  type EpochMs,
  isRowOfMembership,
  type MemberTrailPage,
  TEAM_PAGE,
  type TrailFault,
  trailFault,
  type UserNumber,
  visibleDates,
} from '@saldo/core'
import { ProblemError } from '../http/problem.ts'
import { type RecordStore, type StoredTrailEntry, UnknownUserError, type UserReader } from '../store/store.ts'
import type { TeamStore } from '../store/team/team-store.ts'
import { dataOfMembership } from './data-of-membership.ts'
import { Deciding } from './deciding.ts'
import { noteLook } from './looks.ts'
import { memberDatesOf } from './member-rules.ts'

/** The trails of accounts (D29): each person reads their own, and HR those of members. */
export class AccountTrails {
  readonly #records: RecordStore
  readonly #team: TeamStore
  readonly #clock: Clock

  constructor({ records, team, clock }: { records: RecordStore; team: TeamStore; clock: Clock }) {
    this.#records = records
    this.#team = team
    this.#clock = clock
  }

  /** Returns a page of the own trail, in order, behind a number. */
  own(user: UserNumber, after: number): Promise<AccountTrailPage> {
    return this.#records.read(user, (reader) => trailPage(reader, after))
  }

  /**
   * Returns a page of the rows of a member's trail that are of the company (D29.8), and notes the look. It depends on
   * nothing else, but the numbers of rows. Throws 404 for whoever is not HR of the member.
   */
  async ofMember(viewer: UserNumber, owner: UserNumber, after: number): Promise<MemberTrailPage> {
    const nowMs = this.#clock.now()
    const company = await this.#team.companyOf(viewer, nowMs)
    if (!company) throw new ProblemError('not_found', 'You belong to no company.')
    const { companyId } = company
    try {
      return await this.#records.write(owner, async (writer) => {
        const memberDates = await requireHr(writer, { viewer, owner, companyId }, nowMs)
        await noteLook(writer, { viewer, company: companyId, kind: 'trail_read', month: null }, nowMs)
        const rows = await rowsSeen(writer, { companyId, memberDates }, after, TEAM_PAGE + 1)
        const page = rows.slice(0, TEAM_PAGE)
        return {
          items: await namedRows(
            writer,
            page.map(({ hash: _hash, ...row }) => ({ ...row, data: dataOfMembership(row.data, memberDates) })),
          ),
          cursor: rows.length > TEAM_PAGE ? String(page.at(-1)?.number) : null,
        }
      })
    } catch (error) {
      if (error instanceof UnknownUserError) throw noTrail()
      throw error
    }
  }

  /** Checks the chain of a user's trail (D29.7). Returns the first fault. */
  verify(user: UserNumber): Promise<TrailFault> {
    return this.#records.read(user, async (reader) => {
      const { from, ...last } = await reader.trailHead()
      const rows: AccountTrailEntry[] = []
      for (let after = from.number; ; after = rows.at(-1)?.number ?? after) {
        const page = await reader.trailRows(after, ROWS_AT_ONCE)
        rows.push(...page)
        if (page.length < ROWS_AT_ONCE) break
      }
      return trailFault(rows, { first: from, last }, (text) => hash('sha256', text, 'hex'))
    })
  }
}

const ROWS_AT_ONCE = 1_000

/**
 * Returns the dates on which somebody is or was a member. Throws 404 unless the viewer is HR of them, also for somebody
 * whose membership was ended before its first date.
 */
async function requireHr(
  { team }: UserReader,
  { viewer, owner, companyId }: { viewer: UserNumber; owner: UserNumber; companyId: number },
  nowMs: EpochMs,
): Promise<DateRange[]> {
  const deciding = await Deciding.read(team, companyId, nowMs, [owner])
  const seen = deciding.membershipsOf(owner).filter((membership) => visibleDates(membership))
  const paths = seen.map(({ path }) => path)
  if (!deciding.hasRole(viewer, 'hr', paths)) throw noTrail()
  return memberDatesOf(team, owner, companyId)
}

/** Returns the first rows behind a number that a company sees, at most `limit`. */
async function rowsSeen(
  reader: UserReader,
  { companyId, memberDates }: { companyId: number; memberDates: readonly DateRange[] },
  after: number,
  limit: number,
): Promise<StoredTrailEntry[]> {
  const seen: StoredTrailEntry[] = []
  for (let last = after; seen.length < limit; ) {
    const rows = await reader.trailRows(last, ROWS_AT_ONCE, companyId)
    seen.push(...rows.filter((row) => isRowOfMembership(row, memberDates)))
    if (rows.length < ROWS_AT_ONCE) break
    last = rows.at(-1)?.number ?? last
  }
  return seen.slice(0, limit)
}

async function trailPage(reader: UserReader, after: number): Promise<AccountTrailPage> {
  const rows = await reader.trailRows(after, TEAM_PAGE)
  const { number, hash } = await reader.trailHead()
  const last = rows.at(-1)
  return {
    items: await namedRows(reader, rows),
    cursor: last && last.number < number ? String(last.number) : null,
    last: { number, hash },
  }
}

/** Returns rows as they are read: with the names of who did it, and without what chains them in the store. */
async function namedRows<R extends AccountTrailContent & { previous: string; company: number }>(
  reader: UserReader,
  rows: readonly R[],
) {
  const actors = rows.flatMap(({ actor: user, company }) => (user === null ? [] : { user, company }))
  const nameIn = await reader.team.namesIn(actors)
  return rows.map(({ actor, company, previous: _previous, ...row }) => ({
    ...row,
    actor: actor === null ? null : { user_id: actor, name: nameIn(actor, company) },
  }))
}

function noTrail(): ProblemError {
  return new ProblemError('not_found', 'This is nobody of yours.')
}
