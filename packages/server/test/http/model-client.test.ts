import { recordKinds } from '@saldo/core'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { newId, resources, timeOf } from './resources.ts'

type Call = TestService['call']

let service: TestService
beforeAll(async () => {
  service = await startTestService({ config: { writesPerMinute: 1_000_000 } })
})
afterAll(() => service.close())

interface Held {
  id: string
  version: number
  updated_at: string
}

/** The simplest client that keeps to D5: one request a step, in whatever order the steps come. */
class ModelClient {
  readonly #call: Call
  readonly #limit: number
  #records = new Map<string, Held>()
  #at: { version: number; tag: string | null } | undefined
  #snapshot: { cursor: string | undefined; version: number; tag: string | null } | undefined
  /** How often it had to begin again. */
  coldStarts = 0

  constructor(call: Call, limit: number) {
    this.#call = call
    this.#limit = limit
  }

  /** Makes one request and applies its answer; true once nothing more is known to be missing. */
  step(): Promise<boolean> {
    return this.#at ? this.#pull(this.#at) : this.#page()
  }

  forget(): void {
    this.#records = new Map()
    this.#at = undefined
    this.#snapshot = undefined
    this.coldStarts += 1
  }

  records(): Held[] {
    return [...this.#records.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  async #pull(at: { version: number; tag: string | null }): Promise<boolean> {
    const { status, body } = await this.#call('GET', `/api/sync/pull?since=${at.version}&limit=${this.#limit}`)
    if (status === 410) {
      this.forget()
      return false
    }
    expect(status).toBe(200)
    expect(body.since_tag).toBe(at.tag)
    expect(body.version).toBeGreaterThanOrEqual(at.version)
    this.#apply(body)
    this.#at = { version: body.version, tag: body.tag }
    return !body.has_more
  }

  async #page(): Promise<boolean> {
    const begun = this.#snapshot
    const more = begun?.cursor === undefined ? '' : `&cursor=${begun.cursor}`
    const { status, body } = await this.#call('GET', `/api/sync/pull?limit=${this.#limit}${more}`)
    if (status === 400) {
      expect(body.code).toBe('invalid_cursor')
      this.forget()
      return false
    }
    if (begun) expect([body.version, body.tag]).toEqual([begun.version, begun.tag])
    this.#apply(body)
    const { version, tag, has_more, cursor } = body
    if (has_more) this.#snapshot = { cursor, version, tag }
    else this.#at = { version, tag }
    return false
  }

  #apply({ changes, deleted }: { changes: Record<string, Held[]>; deleted: Record<string, Held[]> }): void {
    for (const [kind, records] of Object.entries(changes)) {
      for (const record of records) {
        const key = `${kind} ${record.id}`
        if ((this.#records.get(key)?.version ?? -1) <= record.version) this.#records.set(key, record)
      }
    }
    for (const [kind, tombstones] of Object.entries(deleted)) {
      for (const { id, version } of tombstones) {
        const key = `${kind} ${id}`
        if ((this.#records.get(key)?.version ?? -1) <= version) this.#records.delete(key)
      }
    }
  }
}

const target = { kind: fc.nat(resources.length - 1), slot: fc.nat(4), other: fc.boolean() }
const offset = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constantFrom(-86_400_000, 59_000, 61_000, 3_600_000))
const change = fc.record({ ...target, offset, remove: fc.boolean() })
const operation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('rest' as const), ...target }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('delete' as const), ...target }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('push' as const), changes: fc.array(change, { maxLength: 8 }) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('close' as const, 'reopen' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.constantFrom(1, 30_000, 16 * 86_400_000) }),
  },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('step' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('forget' as const) }) },
)

test('[R3.3] [R3.6] [R3.2] [D4] [D5] a client that pages and applies has the service’s state, whatever happens in between', async () => {
  let coldStarts = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 10, maxLength: 60, size: 'max' }),
      fc.integer({ min: 1, max: 6 }),
      async (operations, limit) => {
        const { call } = await service.user()
        const client = new ModelClient(call, limit)
        const ids = resources.map(() => Array.from({ length: 5 }, newId))
        for (const one of operations) await perform(one, call, client, ids)

        const begunAnew = client.coldStarts
        while (!(await client.step())) expect(client.coldStarts).toBeLessThan(begunAnew + 3)
        const { records } = (await call('GET', '/api/me/export')).body
        const all = recordKinds.flatMap((kind) => records[kind] as Held[])
        expect(client.records()).toEqual(all.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
        coldStarts += client.coldStarts
      },
    ),
    { numRuns: 25 },
  )
  expect(coldStarts).toBeGreaterThan(0)
})

async function perform(
  one: typeof operation extends fc.Arbitrary<infer T> ? T : never,
  call: Call,
  client: ModelClient,
  ids: string[][],
): Promise<void> {
  switch (one.type) {
    case 'rest': {
      const { path, id, content } = subject(one, ids)
      const put = await call('PUT', `${path}/${id}`, { json: content })
      if (put.status === 404) await call('POST', path, { json: { ...content, id } })
      return
    }
    case 'delete': {
      const { path, id } = subject(one, ids)
      await call('DELETE', `${path}/${id}`)
      return
    }
    case 'push': {
      const changes = one.changes.map(({ offset, remove, ...where }) => {
        const { kind, id, content } = subject(where, ids)
        const updated_at = timeOf(service, offset)
        if (remove) return { kind, op: 'delete', id, updated_at }
        return { kind, op: 'upsert', record: { ...content, id, updated_at } }
      })
      const { status } = await call('POST', '/api/sync/push', { json: { changes } })
      expect(status).toBe(200)
      return
    }
    case 'close':
      await call('POST', '/api/closed-weeks', { json: { week: '2026-W47' } })
      return
    case 'reopen':
      await call('DELETE', '/api/closed-weeks/2026-W47')
      return
    case 'wait':
      service.clock.advance(one.ms)
      return
    case 'step':
      await client.step()
      return
    case 'forget':
      client.forget()
  }
}

function subject({ kind, slot, other }: { kind: number; slot: number; other: boolean }, ids: string[][]) {
  const resource = resources[kind]
  const id = ids[kind]?.[slot]
  if (!resource || id === undefined) throw new Error('no such subject')
  return { kind: resource.kind, path: resource.path, id, content: other ? resource.other : resource.content }
}
