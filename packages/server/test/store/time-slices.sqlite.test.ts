import type { UserNumber } from '@saldo/core'
import { afterEach, expect, test, vi } from 'vitest'
import { mapInSlices } from '../../src/time-slice.ts'
import { newId, resourceOf } from '../http/resources.ts'
import { openTemporary } from './temporary.ts'

afterEach(() => vi.restoreAllMocks())

/** Lets a millisecond pass with each look at the time, and counts the turns of the event loop during `work`. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [nowMs, turns] = [0, 0]
  vi.spyOn(performance, 'now').mockImplementation(() => {
    nowMs += 1
    return nowMs
  })
  const count = () => {
    turns += 1
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  try {
    await work()
  } finally {
    clearImmediate(timer)
  }
  return turns
}

test('[D1.37] work on many items lets others go first between two of them', async () => {
  const items = Array.from({ length: 100 }, (_, index) => index)
  let doubled: number[] = []
  const turns = await turnsDuring(async () => {
    doubled = await mapInSlices(items, (item) => 2 * item)
  })
  expect(doubled).toEqual(items.map((item) => 2 * item))
  expect(turns).toBeGreaterThan(10)
})

test('[D1.37] a long write lets others go first between its statements and between the rows of one', async () => {
  const { records, users } = await openTemporary()
  const added = await users.add({ email: 'a@example.com', passwordHash: 'none', at: '2026-02-02T12:00:00.000Z' })
  const { user } = added as { user: UserNumber }
  const { content } = resourceOf('entries')
  const updatedAt = '2026-11-21T08:00:00.000Z'
  const rowsOf = (count: number) =>
    Array.from({ length: count }, () => {
      const id = newId()
      const fields = { id, ...content, created_at: updatedAt, updated_at: updatedAt }
      return { kind: 'entries' as const, id, updatedAt, deleted: false, fields, claims: {} }
    })
  const put = (count: number) => () => records.write(user, (writer) => writer.put(rowsOf(count) as never))
  const [few, many] = [await turnsDuring(put(1)), await turnsDuring(put(500))]
  // The rows of two tables, and the steps before.
  expect(many - few).toBeGreaterThan(250)
})
