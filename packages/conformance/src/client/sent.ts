import type { JsonObject } from '@saldo/core'
import { same } from '../check.ts'
import type { Bench } from './bench.ts'
import type { Asked, Fault } from './scripted-service.ts'

export const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const PULL = /^\/api\/sync\/pull$/
export const PUSH = /^\/api\/sync\/push$/
const ENTRIES = /^\/api\/entries(\/|$)/

export const content = (note: string): JsonObject => ({
  kind: 'work',
  started_at: '2026-03-02T08:00:00.000Z',
  ended_at: '2026-03-02T12:00:00.000Z',
  note,
})
export const notes = (records: readonly JsonObject[]) => records.map(({ note }) => note).toSorted()
export const isWrite = ({ method }: Asked) => method !== 'GET'
export const isPull = ({ method, path }: Asked) => method === 'GET' && PULL.test(path)
export const isSnapshot = (asked: Asked) => isPull(asked) && !asked.query.has('since')
export const offline: Fault = () => 'lost'
export const online: Fault = () => undefined

/** An edit as it travels: in a push, or alone with its stamp in the query (D6). */
interface Sent {
  id: unknown
  updatedAt: unknown
  device: unknown
  seq: unknown
  note: unknown
}

/** Every edit that a client sent, in order, whatever became of it. */
export function sentBy({ service }: Bench): Sent[] {
  return service.heard.filter(isWrite).flatMap(({ path, query, body }): Sent[] => {
    if (PUSH.test(path)) {
      return (body?.changes ?? []).map(({ record, id, updated_at, seq }: Record<string, unknown>) => {
        const { id: named = id, updated_at: updatedAt = updated_at, note } = Object(record)
        return { id: named, updatedAt, device: body.device, seq, note }
      })
    }
    const id = decodeURIComponent(path.split('/').at(-1) ?? '')
    const seq = query.has('seq') ? Number(query.get('seq')) : undefined
    const named = ENTRIES.test(path) && path.length > '/api/entries/'.length ? id : body?.id
    return [{ id: named, updatedAt: query.get('updated_at'), device: query.get('device'), seq, note: body?.note }]
  })
}

/** Works on a fault, once: the next request that it is about. */
export function once(which: (asked: Asked) => boolean, what: NonNullable<ReturnType<Fault>>): Fault {
  let isOver = false
  return (asked) => {
    if (isOver || !which(asked)) return undefined
    isOver = true
    return what
  }
}

/** Nothing waits, and the client shows what the service has. */
export async function requireAgreed(bench: Bench): Promise<void> {
  same((await bench.counts()).pending, 0, 'how many changes wait')
  const shown = (await bench.records()).toSorted(byId)
  const there = bench.service.records('entries').toSorted(byId)
  same(
    shown.map(({ id }) => id),
    there.map(({ id }) => id),
    'the records that the client shows',
  )
  same(notes(shown), notes(there), 'what the client shows of them')
}

const byId = (a: JsonObject, b: JsonObject) => (String(a.id) < String(b.id) ? -1 : 1)
