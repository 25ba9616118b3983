import { isJsonObject, isToAskFor, type Problem, type PushResponse, type PushResult } from '@saldo/core'
import type { Answer, Message } from './network.ts'

const kinds: Record<string, string> = {
  entries: 'entries',
  settings: 'settings_history',
  'balance/adjustments': 'balance_adjustments',
}

export const keyOf = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`
export const editOf = ({ kind, id, updatedAt }: { kind: string; id: string; updatedAt: string }) =>
  `${kind} ${id} ${updatedAt}`

export type Rejection = 'kept' | 'thrown'

/** A change in a request and its outcome according to the answer. */
export interface ChangeOutcome {
  key: string
  edit: string
  /** The device's number of the edit, if a push carries it. */
  seq: number | undefined
  /** True if the service has the change. */
  isStored: boolean
  /** If it was rejected: the device keeps the change, or throws at whoever made it (D7.10). */
  rejected: Rejection | undefined
  /** True if the push result says `applied`. */
  isApplied: boolean
  /** The `updated_at` of the stored record; undefined if the answer does not have it. */
  storedUpdatedAt: string | undefined
}

/** Returns the changes in a request with their outcomes. */
export function changeOutcomes({ method, path, body }: Message, answer: Answer): ChangeOutcome[] {
  const sent = body === undefined ? undefined : JSON.parse(body)
  const isOurs = answer.headers.has('saldo-protocol')
  if (path === '/api/sync/push') {
    const { results } = isOurs && answer.status === 200 ? (JSON.parse(answer.text) as PushResponse) : { results: [] }
    return (sent.changes as Sent[]).map((change, index) => outcomeOfResult(change, results[index]))
  }
  const named = /^\/api\/(entries|settings|balance\/adjustments)(?:\/([^?]+))?(.*)/.exec(path)
  if (method === 'GET' || !named) return []
  const [, collection = '', id = sent.id, query] = named
  const kind = kinds[collection] as string
  const updatedAt = new URLSearchParams(query).get('updated_at') ?? ''
  const { status, headers } = answer
  const there = isOurs && (status === 200 || status === 201) ? JSON.parse(answer.text) : undefined
  const storedUpdatedAt = there?.updated_at ?? headers.get('saldo-updated-at') ?? undefined
  const isStored =
    isOurs && (method === 'DELETE' ? status === 204 || status === 404 : there !== undefined && says(there, sent))
  const isRejected = isOurs && status >= 400 && ![401, 404, 408, 425, 429].includes(status) && status < 500
  const rejected = isRejected ? rejectionOf(JSON.parse(answer.text) as Problem) : undefined
  // The answer to a direct write does not tell a repeat from the first time.
  const isApplied = false
  const edit = editOf({ kind, id, updatedAt })
  return [{ key: keyOf({ kind, id }), edit, seq: undefined, isStored, rejected, isApplied, storedUpdatedAt }]
}

type Sent = { kind: string; id: string; updated_at: string; seq?: number; record?: { id: string; updated_at: string } }

function outcomeOfResult(change: Sent, result: PushResult | undefined): ChangeOutcome {
  const { kind, seq } = change
  const { id, updated_at: updatedAt } = change.record ?? change
  const isStored = result?.status === 'applied' || result?.status === 'unchanged'
  const rejected = result?.status === 'rejected' ? 'kept' : undefined
  const isApplied = result?.status === 'applied'
  const storedUpdatedAt = result?.updated_at
  const edit = editOf({ kind, id, updatedAt })
  return { key: keyOf({ kind, id }), edit, seq, isStored, rejected, isApplied, storedUpdatedAt }
}

function rejectionOf(problem: Problem): Rejection {
  return isToAskFor(problem) ? 'kept' : 'thrown'
}

function says(record: unknown, content: unknown): boolean {
  if (!isJsonObject(record) || !isJsonObject(content)) return false
  return (record.note ?? record.reason) === (content.note ?? content.reason)
}
