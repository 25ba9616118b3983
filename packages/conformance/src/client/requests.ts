import type { JsonObject } from '@saldo/core'
import type { Harness } from './harness.ts'
import type { Fault, ReceivedRequest } from './scripted-service.ts'

export const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Returns the content of an entry with a note. */
export const content = (note: string): JsonObject => ({
  kind: 'work',
  started_at: '2026-03-02T08:00:00.000Z',
  ended_at: '2026-03-02T12:00:00.000Z',
  note,
})
export const notes = (records: readonly JsonObject[]) => records.map(({ note }) => note).toSorted()

export const isWrite = ({ method }: ReceivedRequest) => method !== 'GET'
export const isPush = ({ method, path }: ReceivedRequest) => method === 'POST' && path === '/api/sync/push'
export const isPull = ({ method, path }: ReceivedRequest) => method === 'GET' && path === '/api/sync/pull'
export const isSnapshot = (request: ReceivedRequest) => isPull(request) && !request.query.has('since')

export const offline: Fault = () => 'requestLost'
export const online: Fault = () => undefined

/** A change as a client sent it: in a push, or as a direct write with its stamp in the query (D6). */
interface SentChange {
  id: unknown
  updatedAt: unknown
  device: unknown
  seq: unknown
  note: unknown
}

/** Returns every change that a client sent, in order, whatever the response. */
export function changesSentBy({ service }: Harness): SentChange[] {
  return service.requests.filter(isWrite).flatMap((request): SentChange[] => {
    const { path, query, body } = request
    if (isPush(request)) {
      return (body?.changes ?? []).map((change: Record<string, unknown>) => {
        const { id, updated_at: updatedAt, note } = Object(change.record ?? change)
        return { id, updatedAt, device: body.device, seq: change.seq, note }
      })
    }
    const [, idInPath] = /^\/api\/entries\/(.+)$/.exec(path) ?? []
    const id = idInPath === undefined ? body?.id : decodeURIComponent(idInPath)
    const seq = query.has('seq') ? Number(query.get('seq')) : undefined
    return [{ id, updatedAt: query.get('updated_at'), device: query.get('device'), seq, note: body?.note }]
  })
}

/** Returns a fault that affects only the next request that matches. */
export function once(matches: (request: ReceivedRequest) => boolean, fault: NonNullable<ReturnType<Fault>>): Fault {
  let hasHappened = false
  return (request) => {
    if (hasHappened || !matches(request)) return undefined
    hasHappened = true
    return fault
  }
}
