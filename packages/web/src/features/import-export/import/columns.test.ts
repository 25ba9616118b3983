import { expect, test } from 'vitest'
import { mapColumn, samplesOf } from './columns.ts'

test('a column holds one thing: chosen for another field, it leaves the one before', () => {
  const columns = { date: 'Tag', start: 'Kam' }
  expect(mapColumn(columns, 'end', 'Ging')).toEqual({ ...columns, end: 'Ging' })
  expect(mapColumn(columns, 'end', 'Kam')).toEqual({ date: 'Tag', end: 'Kam' })
  expect(mapColumn(columns, 'start', 'Ging')).toEqual({ date: 'Tag', start: 'Ging' })
  expect(mapColumn(columns, 'start', null)).toEqual({ date: 'Tag' })
})

test('a column shows its first three values, each once, and none that are empty', () => {
  const table = {
    header: ['Tag', 'Kam'],
    samples: [['1'], ['2', ' x '], ['3', ''], ['4', 'y'], ['5', 'x'], ['6', 'z']],
  }
  expect(samplesOf(table, 'Kam')).toEqual(['x', 'y', 'z'])
  expect(samplesOf(table, 'Tag')).toEqual(['1', '2', '3'])
  expect(samplesOf(table, 'Ging')).toEqual([])
  expect(samplesOf(table, undefined)).toEqual([])
})
