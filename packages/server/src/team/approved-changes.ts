import {
  allDates,
  approvedEntryId,
  type Change,
  daysAsked,
  isAccountAbsence,
  type LocalDate,
  parseChange,
  REQUEST_SOURCE,
  type RecordId,
  type RequestEntry,
  type UserNumber,
} from '@saldo/core'
import { readTimeline } from '../account/account-reads.ts'
import { derivedOnce } from '../derived-once.ts'
import type { UserReader } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import { mapInSlices } from '../time-slice.ts'
import { requestDigest } from './request-digest.ts'

/** The changes that approving a request makes, or the place of the one that is not valid, counted from 1. */
export type ApprovedChanges = { outcome: 'changes'; changes: Change[] } | { outcome: 'invalid'; place: number }

/** The user of a request, and the company that approves it: days that another one approved stay. */
interface Asking {
  user: UserNumber
  company: number
}

/**
 * Returns the changes that approving a request makes (D26.15). Those of absences have no time, so that they are later
 * than whatever is stored under their ids (D26.6).
 */
export async function approvedChanges(
  reader: UserReader,
  asking: Asking,
  request: RequestEntry,
): Promise<ApprovedChanges> {
  switch (request.asks) {
    case 'absence':
      return { outcome: 'changes', changes: await changesOfAbsence(reader, asking, request) }
    case 'cancel':
      return { outcome: 'changes', changes: await changesOfCancel(reader, request) }
    case 'change':
      return changesAsked(request)
  }
}

/** Days that an earlier content of the request was approved for, and that it does not ask for any more, end (D26.5). */
async function changesOfAbsence(
  reader: UserReader,
  { user, company }: Asking,
  request: RequestEntry,
): Promise<Change[]> {
  const digest = requestDigest(request)
  const wasApproved = (await reader.decisions()).some(
    (one) => one.request === request.id && one.company === company && one.digest !== digest && one.state === 'approved',
  )
  // Nothing but an earlier approval has entries of this request, on whatever dates it asked for then.
  const dates = wasApproved ? allDates : { from: request.date, to: request.last_date }
  const absences = (await reader.accountEntries(dateSpan(dates))).filter(isAccountAbsence)
  const idOn = derivedOnce((date: LocalDate) => approvedEntryId(user, request.id, date))
  const isOfRequest = await mapInSlices(absences, ({ id, date }) => id === idOn(date))
  const others = absences.filter((_, index) => !isOfRequest[index])
  const days = daysAsked(request, await readTimeline(reader), others)
  const asked = new Set(days.map(({ date }) => date))
  const ended = absences.filter(({ date }, index) => isOfRequest[index] && !asked.has(date))
  return [
    ...ended.map(({ id }) => changeOf(id, null)),
    ...days.map(({ date, size }) =>
      changeOf(idOn(date), { kind: request.absence, date, ...size, ...NO_TEXTS, source: REQUEST_SOURCE }),
    ),
  ]
}

const NO_TEXTS = { time_zone: null, note: '', tags: [], project: null, import_ref: null }

async function changesOfCancel(reader: UserReader, { absence, date, last_date }: RequestEntry): Promise<Change[]> {
  const entries = await reader.accountEntries(dateSpan({ from: date, to: last_date }))
  return entries.filter(({ kind }) => kind === absence).map(({ id }) => changeOf(id, null))
}

function changeOf(id: RecordId, content: Change['content']): Change {
  return { kind: 'entries', id, content, updatedAt: null }
}

function changesAsked({ changes }: RequestEntry): ApprovedChanges {
  const parsed = (changes ?? []).map((change) => parseChange(change))
  const valid = parsed.flatMap((each) => (each.outcome === 'valid' ? [each.change] : []))
  if (valid.length === parsed.length) return { outcome: 'changes', changes: valid }
  return { outcome: 'invalid', place: parsed.findIndex(({ outcome }) => outcome !== 'valid') + 1 }
}
