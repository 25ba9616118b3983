import { HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { anAbsence, aWork } from '../../../test/records.ts'
import { emptyQuery, indexOf, search, workedMs } from './search.ts'

const at = (text: string) => Date.parse(text)
const early = aWork(at('2026-03-02T08:00:00Z'), at('2026-03-02T10:00:00Z'), { project: 'Küche', tags: ['Bosch'] })
const late = aWork(at('2026-11-20T23:30:00Z'), at('2026-11-21T01:00:00Z'), { note: 'Night shift in the kitchen' })
const day = anAbsence('vacation', '2026-07-01')
const rows = [early, day, late].map((record) => ({ record, pending: false }))
const index = indexOf(rows, 'Europe/Berlin')
const ids = (query: Partial<typeof emptyQuery>) =>
  search(index, { ...emptyQuery, ...query }).map((row) => row.record.id)

test('an empty query finds everything, newest first', () => {
  expect(ids({})).toEqual([late.id, day.id, early.id])
})

test('words are found in notes, projects and tags', () => {
  expect(ids({ words: 'KITCHEN night' })).toEqual([late.id])
  expect(ids({ words: 'kuche #bosch' })).toEqual([early.id])
  expect(ids({ words: 'garden' })).toEqual([])
})

test('the date range applies to the local date of an entry’s start', () => {
  expect(ids({ from: '2026-11-21' })).toEqual([late.id])
  expect(ids({ to: '2026-11-20' })).toEqual([day.id, early.id])
  expect(ids({ from: '2026-03-02', to: '2026-03-02' })).toEqual([early.id])
})

test('only finished work counts as worked time', () => {
  expect(workedMs(index)).toBe(3.5 * HOUR_MS)
  expect(workedMs(indexOf([{ record: aWork(0, null), pending: false }], 'UTC'))).toBe(0)
})
