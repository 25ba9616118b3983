import { expect, test } from 'vitest'
import { addressWith, filterFields, readDate, readFilter } from './filter-address.ts'

const filter = { project: 'Big & House', tag: 'ü', words: 'a b', kind: 'break' } as const

test('an address has the fields that are filled, and no question mark without any', () => {
  expect(addressWith('/search', { words: '', tag: '' })).toBe('/search')
  expect(addressWith('/search', { words: 'a b', tag: '', project: 'x&y' })).toBe('/search?words=a+b&project=x%26y')
})

test('a filter is read from an address as it was written', () => {
  const written = new URL(addressWith('/search', filterFields(filter)), 'https://saldo.example').searchParams
  expect(readFilter(written, ['', 'work', 'break'])).toEqual(filter)
  expect(readFilter(written, ['', 'work'])).toEqual({ ...filter, kind: '' })
  expect(readFilter(new URLSearchParams(), ['', 'work'])).toEqual({ project: '', tag: '', words: '', kind: '' })
})

test('a date of an address is one of the calendar, or none', () => {
  const params = new URLSearchParams({ from: '2026-02-28', to: '2026-02-29' })
  expect([readDate(params, 'from'), readDate(params, 'to')]).toEqual(['2026-02-28', undefined])
  expect(readDate(new URLSearchParams(), 'from')).toBeUndefined()
})
