import { addDays } from '@saldo/core'
import { expect, test } from 'vitest'
import { countries, holidaysIn, localitiesOf, regionsOf } from './holidays.ts'

const place = { country: 'DE', region: 'BY', locality: '' }

test('knows the holidays of a region in the language of the user', () => {
  const { free } = holidaysIn(place, 2026, 'de')
  expect(free.map(({ date, name }) => [date, name])).toContainEqual(['2026-01-06', 'Heilige Drei Könige'])
  expect(holidaysIn({ ...place, region: 'BE' }, 2026, 'en').free).toContainEqual({
    date: '2026-03-08',
    name: "International Women's Day",
    share: 1,
  })
  const dates = free.map(({ date }) => date)
  expect(dates).toEqual([...new Set(dates)].sort())
})

test('keeps optional and half days apart', () => {
  expect(holidaysIn(place, 2026, 'en').others).toContainEqual({ date: '2026-12-24', name: 'Christmas Eve', share: 0.5 })
})

test('a holiday from noon on is half a day', () => {
  const { free } = holidaysIn({ country: 'CH', region: 'SO', locality: '' }, 2026, 'en')
  expect(free.find(({ date }) => date === '2026-05-01')).toMatchObject({ share: 0.5 })
})

test('of a half and a whole holiday on one date, the whole one counts', () => {
  const { others } = holidaysIn({ country: 'AS', region: '', locality: '' }, 2026, 'en')
  expect(others.filter(({ date }) => date === '2026-12-24')).toMatchObject([{ share: 1 }])
})

test('a holiday of several days has several dates', () => {
  const { free } = holidaysIn({ country: 'TR', region: '', locality: '' }, 2026, 'en')
  expect(free.filter(({ name }) => name.includes('Fitr'))).toHaveLength(3)
})

test.each([
  // The clock is put forward on Easter Sunday of 2024 and back on Austria's National Day of 2025.
  [{ country: 'DE', region: 'BB', locality: '' }, '2024-03-31', 1],
  [{ country: 'AT', region: '', locality: '' }, '2025-10-26', 1],
  [{ country: 'ME', region: '', locality: '' }, '2025-03-30', 3],
] as const)('a clock change takes nothing from a holiday: %o on %s', (where, first, days) => {
  const { free } = holidaysIn(where, Number(first.slice(0, 4)), 'en')
  const begun = free.find(({ date }) => date === first)
  expect(free.filter(({ name }) => name === begun?.name).map(({ date, share }) => [date, share])).toEqual(
    Array.from({ length: days }, (_, index) => [addDays(first, index), 1]),
  )
})

test('without a country there are no holidays', () => {
  expect(holidaysIn({ country: '', region: '', locality: '' }, 2026, 'en')).toEqual({ free: [], others: [] })
})

test('lists countries, regions and places', () => {
  expect(countries()).toContain('AT')
  expect(regionsOf('DE', 'de')).toContainEqual(['BY', 'Bayern'])
  expect(localitiesOf('DE', 'BY', 'de')).toContainEqual(['A', 'Stadt Augsburg'])
  expect(regionsOf('', 'de')).toEqual([])
})
