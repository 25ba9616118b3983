import { dayEntryKinds, timedEntryKinds } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyQuery, type Query } from '../../domain/entries/search.ts'
import { addressOf, readAddress, reportAddress } from './search-address.ts'

test('the address of a search has its filters, named as in reports', () => {
  expect(addressOf(emptyQuery)).toBe('/search')
  expect(
    addressOf({ ...emptyQuery, from: '2026-11-01', project: 'Harbour & Sons', kind: 'sick', isRunning: true }),
  ).toBe('/search?from=2026-11-01&project=Harbour+%26+Sons&kind=sick&running=1')
})

test('every search is read back from its address', () => {
  const day = fc.constantFrom('' as const, '0001-01-01' as const, '2026-03-01' as const)
  const text = fc.string({ unit: 'grapheme', maxLength: 12 })
  const query = fc.record<Query>(
    {
      from: day,
      to: day,
      words: text,
      project: text,
      tag: text,
      kind: fc.constantFrom('' as const, ...timedEntryKinds, ...dayEntryKinds),
      isRunning: fc.boolean(),
    },
    { noNullPrototype: true },
  )
  fc.assert(
    fc.property(query, (asked) => {
      expect(readAddress(addressOf(asked).split('?')[1] ?? '')).toEqual(asked)
    }),
  )
})

test.each(['', 'kind=colour&running=yes', 'from=2026-13-45&to=abc', '%E0%A4%A'])(
  'a malformed address «%s» finds everything',
  (search) => {
    expect(readAddress(search)).toEqual(emptyQuery)
  },
)

test('a search of work or breaks has a report of the same dates and filters', () => {
  const today = '2026-11-23'
  const addressFor = (changed: Partial<Query>) => reportAddress({ ...emptyQuery, ...changed }, today)
  expect(addressFor({})).toBe('/reports?dates=all')
  expect(addressFor({ from: '2026-11-01', to: '2026-11-30', tag: 'ui' })).toBe('/reports?tag=ui')
  expect(addressFor({ from: '2026-11-02', kind: 'break' })).toBe('/reports?from=2026-11-02&to=9999-12-31&kind=break')
  expect(addressFor({ to: '2026-11-02', kind: 'work' })).toBe('/reports?from=0001-01-01&to=2026-11-02')
  expect([addressFor({ isRunning: true }), addressFor({ kind: 'vacation' })]).toEqual([undefined, undefined])
})
