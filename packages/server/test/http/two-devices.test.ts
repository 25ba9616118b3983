import type { JsonObject } from '@saldo/core'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { newId, push, resources, timeOf } from './resources.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ config: { writesPerMinute: 1_000_000 } })
})
afterAll(() => service.close())

interface Edit {
  by: 'laptop' | 'phone'
  kind: number
  slot: number
  /** No two edits have the same time. */
  at: number
  note: number | null
}

const edits: fc.Arbitrary<Edit[]> = fc.uniqueArray(
  fc.record({
    by: fc.constantFrom('laptop', 'phone'),
    kind: fc.nat(resources.length - 1),
    slot: fc.nat(2),
    at: fc.integer({ min: -100_000, max: 59_000 }),
    note: fc.option(fc.nat(100)),
  }),
  { selector: ({ at }) => at, maxLength: 30 },
)

test('[R1.5] [R3.7] [R3.8] devices that edited offline exchange their outboxes in any order, and the latest edits stand', async () => {
  await fc.assert(
    fc.asyncProperty(edits, fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 4 }))), async (made, portions) => {
      const { call } = await service.user()
      const ids = resources.map(() => Array.from({ length: 3 }, newId))
      const outbox = (by: Edit['by']) => made.filter((edit) => edit.by === by).map((edit) => changeOf(edit, ids))
      const waiting = { laptop: outbox('laptop'), phone: outbox('phone') }
      const devices = { laptop: newId(), phone: newId() }
      const sendSome = async (by: Edit['by'], count: number) => {
        const portion = waiting[by].splice(0, count)
        const results = await push(call, portion, devices[by])
        // Each answer may be lost: the portion goes out again.
        if (count % 2 === 0) await push(call, portion, devices[by])
        for (const { status } of results) expect(['applied', 'superseded']).toContain(status)
      }
      for (const [who, count] of portions) await sendSome(who % 2 === 0 ? 'laptop' : 'phone', count)
      for (const by of ['phone', 'laptop'] as const) await sendSome(by, made.length + 1)

      const { changes } = (await call('GET', '/api/sync/pull')).body
      const standing = Object.values<JsonObject[]>(changes).flatMap((list) => list.map(({ id, x }) => [id, x]))
      const latest = new Map<string, unknown>()
      for (const { kind, slot, note } of made.toSorted((a, b) => a.at - b.at)) {
        const id = ids[kind]?.[slot] ?? ''
        if (note === null) latest.delete(id)
        else latest.set(id, note)
      }
      expect(standing.sort()).toEqual([...latest].sort())
    }),
    { numRuns: 40 },
  )
})

function changeOf({ kind, slot, at, note }: Edit, ids: string[][]) {
  const resource = resources[kind]
  const id = ids[kind]?.[slot]
  const updated_at = timeOf(service, at)
  if (note === null) return { kind: resource?.kind, op: 'delete', id, updated_at }
  return { kind: resource?.kind, op: 'upsert', record: { ...resource?.content, x: note, id, updated_at } }
}
