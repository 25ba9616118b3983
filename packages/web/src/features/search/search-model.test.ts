import { anAbsence, aWork } from '@saldo/client/testing'
import { absenceKinds, timedEntryKinds } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fieldsOf } from '../../domain/address.ts'
import { emptyQuery, type Query } from '../../domain/entries/search.ts'
import {
  bulkChanges,
  canChange,
  idsBetween,
  namesFor,
  readSearchAddress,
  reportAddress,
  searchAddressOf,
} from './search-model.ts'

test('the address of a search has its filters, named as in reports', () => {
  expect(searchAddressOf(emptyQuery)).toBe('/search')
  expect(
    searchAddressOf({ ...emptyQuery, from: '2026-11-01', project: 'Harbour & Sons', kind: 'sick', isRunning: true }),
  ).toBe('/search#from=2026-11-01&project=Harbour+%26+Sons&kind=sick&running=1')
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
      kind: fc.constantFrom('' as const, ...timedEntryKinds, ...absenceKinds),
      isRunning: fc.boolean(),
    },
    { noNullPrototype: true },
  )
  fc.assert(
    fc.property(query, (asked) => {
      expect(readSearchAddress(fieldsOf(new URL(searchAddressOf(asked), 'https://saldo.example').hash))).toEqual(asked)
    }),
  )
})

test.each(['', 'kind=colour&running=yes', 'from=2026-13-45&to=abc', '%E0%A4%A'])(
  'a malformed address «%s» finds everything',
  (search) => {
    expect(readSearchAddress(fieldsOf(search))).toEqual(emptyQuery)
  },
)

test('a search of work or breaks has a report of the same dates and filters', () => {
  const today = '2026-11-23'
  const addressFor = (changed: Partial<Query>) => reportAddress({ ...emptyQuery, ...changed }, today)
  expect(addressFor({})).toBe('/reports#dates=all')
  expect(addressFor({ from: '2026-11-01', to: '2026-11-30', tag: 'ui' })).toBe('/reports#tag=ui')
  expect(addressFor({ from: '2026-11-02', kind: 'break' })).toBe('/reports#from=2026-11-02&to=9999-12-31&kind=break')
  expect(addressFor({ to: '2026-11-02', kind: 'work' })).toBe('/reports#from=0001-01-01&to=2026-11-02')
  expect([addressFor({ isRunning: true }), addressFor({ kind: 'vacation' })]).toEqual([undefined, undefined])
})

test('a span has all ids between two ids, in either order', () => {
  const ids = ['a', 'b', 'c', 'd']
  expect(idsBetween(ids, 'b', 'd')).toEqual(['b', 'c', 'd'])
  expect(idsBetween(ids, 'd', 'b')).toEqual(['b', 'c', 'd'])
  expect(idsBetween(ids, 'a', 'c')).toEqual(['a', 'b', 'c'])
  expect(idsBetween(ids, 'b', 'b')).toEqual(['b'])
})

test('a span is one id if the other is not given or not in the list', () => {
  expect(idsBetween(['a', 'b'], undefined, 'b')).toEqual(['b'])
  expect(idsBetween(['a', 'b', 'c'], 'gone', 'b')).toEqual(['b'])
  expect(idsBetween(['a', 'b'], 'b', 'gone')).toEqual(['gone'])
})

const saldo = aWork(0, 1, { project: 'Saldo', tags: ['a'] })
const house = aWork(1, 2, { project: 'House', tags: [] })

test('a bulk edit changes only entries that differ from the result', () => {
  expect(bulkChanges([saldo, house], { op: 'project', project: ' Saldo ' })).toEqual([
    { op: 'update', record: house, patch: { project: 'Saldo' } },
  ])
  expect(bulkChanges([saldo, house], { op: 'addTag', tag: '#a' })).toEqual([
    { op: 'update', record: house, patch: { tags: ['a'] } },
  ])
  expect(bulkChanges([saldo, house], { op: 'removeTag', tag: 'a' })).toEqual([
    { op: 'update', record: saldo, patch: { tags: [] } },
  ])
})

test('absences and breaks get no project', () => {
  const others = [anAbsence('vacation', '2026-11-20'), aWork(0, 1, { kind: 'break' })]
  expect(bulkChanges([...others, house], { op: 'project', project: 'Saldo' })).toMatchObject([{ record: house }])
})

test('an empty project removes the project; an empty tag changes nothing', () => {
  expect(bulkChanges([saldo], { op: 'project', project: '' })).toMatchObject([{ patch: { project: null } }])
  expect(bulkChanges([saldo], { op: 'addTag', tag: '# ' })).toEqual([])
  expect(bulkChanges([saldo], { op: 'addTag', tag: ' # a ' })).toEqual([])
  expect(bulkChanges([saldo, house], { op: 'delete' })).toHaveLength(2)
})

test('an action is offered if it can change one of the entries', () => {
  const sick = anAbsence('sick', '2026-11-20')
  expect([[sick], [sick, house]].map((records) => canChange(records, 'project'))).toEqual([false, true])
  expect(
    [
      [sick, house],
      [house, saldo],
    ].map((records) => canChange(records, 'removeTag')),
  ).toEqual([false, true])
  expect([[], [sick]].map((records) => canChange(records, 'addTag'))).toEqual([false, true])
})

test('the names to choose from are those in use, for tags to remove those of the selected entries', () => {
  const garden = aWork(2, 3, { project: null, tags: ['b', 'a'] })
  const all = [saldo, house, garden, saldo]
  expect(namesFor('project', [house], all)).toEqual(['House', 'Saldo'])
  expect(namesFor('addTag', [house], all)).toEqual(['a', 'b'])
  expect(namesFor('removeTag', [saldo], all)).toEqual(['a'])
})
