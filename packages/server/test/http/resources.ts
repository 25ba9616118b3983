import { randomUUID } from 'node:crypto'
import type { JsonObject, WritableKind } from '@saldo/core'
import type { TestService } from '../harness.ts'

type Call = TestService['call']

/** A client-writable kind over REST, with contents to write. */
export interface Resource {
  kind: WritableKind
  path: string
  /** The smallest content that is valid. */
  content: JsonObject
  /** Another content. */
  other: JsonObject
  /** A content that lies on a date, for lists. */
  on(date: string): JsonObject
}

const hours = (count: number) => count * 3_600_000

export const resources: readonly Resource[] = [
  {
    kind: 'entries',
    path: '/api/entries',
    content: { kind: 'work', started_at: '2026-11-20T08:00:00.000Z', ended_at: '2026-11-20T12:00:00.000Z' },
    other: { kind: 'sick', date: '2026-11-20', day_share: 0.5, note: 'cold' },
    on: (date) => ({ kind: 'vacation', date }),
  },
  {
    kind: 'settings_history',
    path: '/api/settings',
    content: {
      effective_from: '2026-11-02',
      time_zone: 'Europe/Berlin',
      target_ms: [hours(8), hours(8), hours(8), hours(8), hours(8), 0, 0],
    },
    other: { effective_from: '2026-11-09', time_zone: 'UTC', target_ms: [0, 0, 0, 0, 0, 0, 0], note: 'pause' },
    on: (date) => ({ effective_from: date, time_zone: 'UTC', target_ms: [0, 0, 0, 0, 0, 0, 0] }),
  },
  {
    kind: 'balance_adjustments',
    path: '/api/balance/adjustments',
    content: { effective_date: '2026-11-01', delta_ms: hours(3), kind: 'opening', reason: 'from the old system' },
    other: { effective_date: '2026-11-30', delta_ms: -hours(5), kind: 'payout', reason: 'paid out' },
    on: (date) => ({ effective_date: date, delta_ms: 1, kind: 'other', reason: 'x' }),
  },
]

/** The resource of a kind. */
export function resourceOf(kind: WritableKind): Resource {
  const found = resources.find((resource) => resource.kind === kind)
  if (!found) throw new Error(`no resource of ${kind}`)
  return found
}

/** A new id, as a client makes one. */
export function newId(): string {
  return randomUUID()
}

/** The service's time, or one that lies so many milliseconds from it, as text. */
export function timeOf({ clock }: Pick<TestService, 'clock'>, offsetMs = 0): string {
  return new Date(clock.now() + offsetMs).toISOString()
}

/** The user's counter: the version of the last change, without moving anything. */
export async function counterOf(call: Call): Promise<number> {
  const { body } = await call('GET', `/api/sync/pull?since=${Number.MAX_SAFE_INTEGER}`)
  return body.version
}

/** Creates a record and returns it as it is stored. */
export async function create(call: Call, { path }: Resource, content: JsonObject) {
  const { status, body, text } = await call('POST', path, { json: content })
  if (status !== 201) throw new Error(`not created: ${text}`)
  return body
}

/** Pushes changes and returns their results. */
export async function push(call: Call, changes: readonly unknown[], device?: string) {
  const { status, body, text } = await call('POST', '/api/sync/push', { json: { device, changes } })
  if (status !== 200) throw new Error(`push failed: ${text}`)
  return body.results
}

/** Writes 15 MB of records, more than the buffers of a connection take. */
export async function fillBuffers(service: Pick<TestService, 'clock'>, { call }: { call: Call }): Promise<void> {
  const { content } = resourceOf('entries')
  const text = { ...content, x: 'x'.repeat(60_000) }
  const upsert = () => ({
    kind: 'entries',
    op: 'upsert',
    record: { ...text, id: newId(), updated_at: timeOf(service) },
  })
  for (let n = 0; n < 5; n += 1) await push(call, Array.from({ length: 50 }, upsert))
}
