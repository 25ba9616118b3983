import type { AccountTrailPage, UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import { keepSeenRow, lookAtTrail } from './seen-trail.ts'

const user = 7 as UserNumber

/** A storage and a trail of rows with these hashes. */
function device() {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  const look = (hashes: readonly string[]) => {
    const rows = hashes.map((hash, index) => ({ number: index + 1, hash }))
    const page = (after: string | null) => ({
      items: rows.filter(({ number }) => number > Number(after ?? 0)),
      cursor: null,
      last: rows.at(-1) ?? { number: 0, hash: '' },
    })
    return lookAtTrail(storage, user, async (after) => page(after) as unknown as AccountTrailPage)
  }
  return { storage, look }
}

test('[D29.4] a device keeps the last row that it saw, and finds a trail that no longer holds it', async () => {
  const { storage, look } = device()
  expect(await look([])).toBeUndefined()
  expect(await look(['a'])).toBeUndefined()
  expect(await look(['a', 'b', 'c'])).toBeUndefined()
  // It stays found until the person has taken note of it.
  for (const _ of [1, 2]) expect(await look(['a', 'b'])).toEqual({ state: 'cut_off', last: { number: 2, hash: 'b' } })
  expect(await look(['a', 'x', 'y', 'z'])).toEqual({ state: 'rewritten', last: { number: 4, hash: 'z' } })
  keepSeenRow(storage, user, { number: 4, hash: 'z' })
  expect(await look(['a', 'x', 'y', 'z', 'w'])).toBeUndefined()
})
