import type { Closer } from '../account/closed-records.ts'
import type { CloseOutcome, ReopenOutcome } from '../account/closing.ts'
import { etagOf, isFresh, requireMatch } from '../http/preconditions.ts'
import { ProblemError } from '../http/problem.ts'
import type { RequestHeaders } from '../http/request-headers.ts'
import type { Answer } from '../http/route.ts'
import type { RecordKey, RecordStore, UserId, UserWriter } from '../store/store.ts'
import { whatStands } from './records.ts'
import type { Services } from './services.ts'

/** Closes a day or week in a transaction: 201, or 200 where it is closed already; 409 where it cannot be closed. */
export async function closeAnswer(
  { records, clock }: Services,
  user: UserId,
  address: string,
  close: (writer: UserWriter, closer: Closer) => Promise<CloseOutcome>,
): Promise<Answer> {
  const closer: Closer = { user, by: 'user', nowMs: clock.now() }
  const outcome = await records.write(user, (writer) => close(writer, closer))
  if (outcome.outcome === 'conflict') throw new ProblemError('conflict', outcome.reason)
  const answer = whatStands(outcome.record)
  return outcome.outcome === 'closed'
    ? { ...answer, status: 201, headers: { ...answer.headers, location: address } }
    : answer
}

/** Reopens a day or week in a transaction: 204, 404 where it is not closed, 409 where it cannot be reopened. */
export async function reopenAnswer(
  { records, clock }: Services,
  user: UserId,
  key: RecordKey,
  headers: RequestHeaders,
  reopen: (writer: UserWriter, closer: Closer) => Promise<ReopenOutcome>,
): Promise<Answer> {
  const closer: Closer = { user, by: 'user', nowMs: clock.now() }
  const outcome = await records.write(user, async (writer) => {
    const [standing] = await writer.find([key])
    requireMatch(headers, standing)
    return reopen(writer, closer)
  })
  if (outcome.outcome === 'conflict') throw new ProblemError('conflict', outcome.reason)
  if (outcome.outcome === 'not_closed') throw new ProblemError('not_found', 'It is not closed.')
  return { status: 204 }
}

/** One closed day or week. */
export async function readAnswer(
  records: RecordStore,
  user: UserId,
  key: RecordKey,
  headers: RequestHeaders,
): Promise<Answer> {
  const [standing] = await records.read(user, (reader) => reader.find([key]))
  if (standing && !standing.deleted && isFresh(headers, etagOf(standing))) {
    return { status: 304, headers: { etag: etagOf(standing) } }
  }
  return whatStands(standing && !standing.deleted ? standing : undefined)
}
