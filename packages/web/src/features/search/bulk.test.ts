import { anAbsence, aWork } from '@saldo/client/testing'
import { expect, test } from 'vitest'
import { bulkChanges, canChange, namesFor } from './bulk.ts'

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
