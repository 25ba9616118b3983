import {
  type Change,
  type CompanyLeave,
  type EpochMs,
  FIRST_DATE,
  isAbsence,
  LEAVE_SOURCE,
  type LeaveResult,
  type LocalDate,
  leaveDays,
  leaveEntryId,
  type UserNumber,
  utcDate,
  visibleDates,
  WHOLE_DAY,
} from '@saldo/core'
import { readEntries, readTimeline } from '../account/account-reads.ts'
import { ProblemError } from '../http/problem.ts'
import { type RecordStore, type StoredRecord, UnknownUserError, type UserWriter } from '../store/store.ts'
import { liveFieldsOf } from '../store/stored-records.ts'
import type { TeamStore } from '../store/team/team-store.ts'
import { applyByHr } from './corrections.ts'
import { Deciding } from './deciding.ts'
import { ownerOf } from './sight.ts'

/** Company leave to write, to look at, or to remove. */
export type LeaveAct = 'write' | 'preview' | 'remove'

interface Leave {
  actor: UserNumber
  leave: CompanyLeave
  act: LeaveAct
  /** Counts a mail to somebody, and throws after too many. */
  countMail: (user: UserNumber) => Promise<void>
}

/** The result of company leave for one person, and whether anything was written or removed. */
interface PersonLeave {
  result: LeaveResult
  isChanged: boolean
}

/**
 * Writes company leave for people one after another, or removes what nobody has changed since (D28.7): one that fails
 * stops no other. A preview writes nothing. Calls `tell` for each whose days have changed (D28.4). Throws 404 for
 * whoever has no company.
 */
export async function companyLeave(
  { records, team }: { records: RecordStore; team: TeamStore },
  { tell, ...asked }: Leave & { tell: (user: UserNumber) => void },
  nowMs: EpochMs,
): Promise<LeaveResult[]> {
  const { actor, leave } = asked
  const company = await team.companyOf(actor, nowMs)
  if (!company) throw new ProblemError('not_found', 'You belong to no company.')
  const results: LeaveResult[] = []
  for (const owner of leave.users) {
    const nothing = { user_id: owner, dates: [], left_out: [] }
    try {
      const context = { ...asked, owner, company: company.companyId }
      const { result, isChanged } = await records.write(owner, (writer) => leaveOf(writer, context, nowMs))
      if (isChanged) tell(owner)
      results.push(result)
    } catch (error) {
      if (!(error instanceof UnknownUserError || error instanceof ProblemError)) throw error
      results.push({ ...nothing, ...refusalOf(error) })
    }
  }
  return results
}

const NOBODY = 'This is nobody of yours.'

function refusalOf(error: UnknownUserError | ProblemError): Pick<LeaveResult, 'refusal' | 'detail'> {
  const { code, message } = error instanceof ProblemError ? error : { code: 'not_found', message: NOBODY }
  if (code === 'not_found') return { refusal: 'not_allowed', detail: NOBODY }
  return { refusal: code === 'forbidden' ? 'own_leave' : 'not_possible', detail: message }
}

async function leaveOf(
  writer: UserWriter,
  { actor, owner, company, leave, act, countMail }: Leave & { owner: UserNumber; company: number },
  nowMs: EpochMs,
): Promise<PersonLeave> {
  await writer.team.lockRolesOf(actor)
  const deciding = await Deciding.read(writer.team, company, nowMs, [owner])
  const today = utcDate(nowMs)
  const memberships = deciding.membershipsOf(owner)
  const present = memberships.filter((one) => (visibleDates(one)?.to ?? FIRST_DATE) >= today)
  const paths = present.map(({ path }) => path)
  if (!deciding.hasRole(actor, 'hr', paths)) throw new ProblemError('not_found', NOBODY)
  if (actor === owner && !deciding.decidesForSelf(actor, today)) {
    throw new ProblemError('forbidden', 'Another HR writes your leave.')
  }
  const timeline = await readTimeline(writer)
  const entries = await readEntries(writer, timeline, leave)
  const { dates, leftOut } = leaveDays(owner, leave, timeline, entries, ownerOf(memberships, today).memberDates)
  const keyOn = (date: LocalDate) => ({ kind: 'entries' as const, id: leaveEntryId(owner, leave.id, date) })
  const stored = await writer.find(dates.map(keyOn))
  const storedById = new Map(stored.map((record) => [record.id, record]))
  const isUntouched = (date: LocalDate) => isLeave(storedById.get(keyOn(date).id), leave, date)
  const isAbsent = (date: LocalDate) => !storedById.has(keyOn(date).id)
  const changed = dates.filter((date) => (act === 'remove' ? isUntouched(date) : isAbsent(date)))
  // A day that its person has changed or deleted stays as they left it.
  const kept = dates.filter((date) => !isUntouched(date) && !isAbsent(date))
  const result = {
    user_id: owner,
    dates: act === 'remove' ? changed : dates.filter((date) => isUntouched(date) || isAbsent(date)),
    left_out: [...leftOut, ...kept].toSorted(),
  }
  if (act === 'preview' || changed.length === 0) return { result, isChanged: false }
  const content = (date: LocalDate) => (act === 'remove' ? null : contentOf(leave, date))
  const changes = changed.map((date): Change => ({ ...keyOn(date), content: content(date), updatedAt: null }))
  await countMail(owner)
  await applyByHr(writer, { owner, actor, company, changes, cause: { leave: leave.id } }, nowMs)
  return { result, isChanged: true }
}

function contentOf({ kind }: CompanyLeave, date: LocalDate): Record<string, unknown> {
  return {
    kind,
    date,
    ...WHOLE_DAY,
    time_zone: null,
    note: '',
    tags: [],
    project: null,
    import_ref: null,
    source: LEAVE_SOURCE,
  }
}

function isLeave(stored: StoredRecord<'entries'> | undefined, { kind }: CompanyLeave, date: LocalDate): boolean {
  const entry = liveFieldsOf(stored)
  if (!entry || !isAbsence(entry)) return false
  const isSame = entry.kind === kind && entry.date === date && entry.day_share === 1 && entry.note === ''
  return isSame && entry.source === LEAVE_SOURCE
}
