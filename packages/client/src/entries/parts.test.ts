import { anAbsence } from '@saldo/client/testing'
import { type Entry, HOUR_MS, instantOf } from '@saldo/core'
import { expect, test } from 'vitest'
import { partIn, stoppedAt, type TimedRecord } from './parts.ts'

const window = { start: 0, end: 24 * HOUR_MS }
const work = (start: number, end: number | null): TimedRecord => ({
  id: '00000000-0000-4000-8000-000000000001',
  version: 1,
  created_at: instantOf(0),
  updated_at: instantOf(0),
  kind: 'work',
  started_at: instantOf(start * HOUR_MS),
  ended_at: end === null ? null : instantOf(end * HOUR_MS),
  time_zone: null,
  note: '',
  tags: [],
  project: null,
  source: null,
  import_ref: null,
  counts: true,
})

test('the part of an entry that crosses midnight says that the entry begins before or ends after the day', () => {
  expect(partIn(work(22, 26), window, 0)).toEqual({
    inside: { start: 22 * HOUR_MS, end: 24 * HOUR_MS },
    whole: { start: 22 * HOUR_MS, end: 26 * HOUR_MS },
    beginsBefore: false,
    endsAfter: true,
  })
  expect(partIn(work(-2, 1), window, 0)).toMatchObject({ beginsBefore: true, endsAfter: false })
})

test('an entry outside the day has no part; an empty one lies at its start', () => {
  expect(partIn(work(24, 26), window, 0)).toBeUndefined()
  expect(partIn(work(-2, 0), window, 0)).toBeUndefined()
  expect(partIn(work(-1, -1), window, 0)).toBeUndefined()
  expect(partIn(work(9, 9), window, 0)?.inside).toEqual({ start: 9 * HOUR_MS, end: 9 * HOUR_MS })
})

test('a running entry counts up to now and is never negative', () => {
  const [running, early] = stoppedAt<Entry>([work(8, null), work(12, null)], 10 * HOUR_MS)
  expect(running).toEqual({ ...work(8, null), ended_at: instantOf(10 * HOUR_MS) })
  expect(early).toMatchObject({ ended_at: instantOf(12 * HOUR_MS) })
  const others: Entry[] = [work(8, 9), anAbsence('sick', '2026-11-20')]
  expect(stoppedAt(others, 10 * HOUR_MS)).toEqual(others)
})

test('an entry that ends at midnight is within the day, and an empty one at its first moment belongs to it', () => {
  expect(partIn(work(22, 24), window, 0)).toMatchObject({ beginsBefore: false, endsAfter: false })
  expect(partIn(work(0, 2), window, 0)).toMatchObject({ beginsBefore: false, endsAfter: false })
  expect(partIn(work(0, 0), window, 0)).toMatchObject({ inside: { start: 0, end: 0 } })
  expect(partIn(work(24, 24), window, 0)).toBeUndefined()
  expect(partIn(work(-2, 0), window, 0)).toBeUndefined()
})
