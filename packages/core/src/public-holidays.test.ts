import { expect, test } from 'vitest'
import { readFixture } from '../test/fixtures.ts'
import { isHeavy } from '../test/tier.ts'
import { addDays } from './date.ts'
import { type HolidayPlaceCodes, holidaysUnder } from './holidays.ts'
import { holidayCountries, holidayRegions, holidayStates, knownDays } from './public-holidays.ts'

const at = (country: string, state: string | null = null, region: string | null = null) => ({ country, state, region })
const publicDays = (place: HolidayPlaceCodes, year: number) => knownDays(place, year).filter(({ isPublic }) => isPublic)

test('[D16.2] the library knows the holidays of a state under their local names', () => {
  expect(publicDays(at('DE', 'BY'), 2026).map(({ date, name }) => [date.slice(5), name])).toEqual([
    ['01-01', 'Neujahr'],
    ['01-06', 'Heilige Drei Könige'],
    ['04-03', 'Karfreitag'],
    ['04-06', 'Ostermontag'],
    ['05-01', 'Maifeiertag'],
    ['05-14', 'Christi Himmelfahrt'],
    ['05-25', 'Pfingstmontag'],
    ['06-04', 'Fronleichnam'],
    ['10-03', 'Tag der Deutschen Einheit'],
    ['11-01', 'Allerheiligen'],
    ['12-25', '1. Weihnachtstag'],
    ['12-26', '2. Weihnachtstag'],
  ])
  expect(publicDays(at('DE', 'BE'), 2026).map(({ date }) => date)).toContain('2026-03-08')
  expect(publicDays(at('DE', 'BY', 'A'), 2026).map(({ date }) => date)).toContain('2026-08-08')
})

test('[D16.2] a holiday that begins at noon is half a day', () => {
  expect(publicDays(at('CH', 'SO'), 2026).find(({ date }) => date === '2026-05-01')).toMatchObject({ share: 0.5 })
})

test.each([
  // The clock is put forward on Easter Sunday of 2024 and back on Austria's National Day of 2025.
  [at('DE', 'BB'), '2024-03-31', 1],
  [at('AT'), '2025-10-26', 1],
  [at('ME'), '2025-03-30', 3],
] as const)('[D16.2] a clock change takes nothing from a holiday: %o on %s', (place, first, count) => {
  const days = publicDays(place, Number(first.slice(0, 4)))
  const begun = days.find(({ date }) => date === first)
  expect(days.filter(({ name }) => name === begun?.name).map(({ date, share }) => [date, share])).toEqual(
    Array.from({ length: count }, (_, index) => [addDays(first, index), 1]),
  )
})

interface Comparison {
  /** The holidays of ten years by the other library, by place and year: `01-01 01-06 …`. */
  'holidays/python-holidays': { version: string; places: Record<string, Record<string, string>> }
  'holidays/differences': {
    /** The dates of holidays that move, one for each year. */
    moving: Record<string, string>
    differences: { places: string; days: string; years?: string; only_in: string; why: string }[]
  }
}
const { places } = readFixture<Comparison['holidays/python-holidays']>('holidays/python-holidays')
const { moving, differences } = readFixture<Comparison['holidays/differences']>('holidays/differences')

/** The first and the last of all years in `npm test`. */
const yearsOf = <T>(all: readonly T[]): readonly T[] =>
  isHeavy ? all : all.filter((_, index) => index === 0 || index === all.length - 1)

test('[D16.2] the states of DE, AT and CH have the days of python3-holidays but for known differences', () => {
  const found = Object.entries(places).flatMap(([place, byYear]) =>
    yearsOf(Object.entries(byYear)).flatMap(([year, text]) => {
      const [country = '', state = null] = place.split('-')
      const range = { from: `${Number(year)}-01-01`, to: `${Number(year)}-12-31` } as const
      const rule = { ...at(country, state), partial: {} }
      const ours = new Set([...holidaysUnder(rule, range, knownDays).keys()].map((date) => date.slice(5)))
      const theirs = new Set(text.split(' '))
      return [
        ...[...ours.difference(theirs)].map((day) => `${place} ${year}-${day} only in date-holidays`),
        ...[...theirs.difference(ours)].map((day) => `${place} ${year}-${day} only in python3-holidays`),
      ]
    }),
  )
  const allYears = Object.keys(places['DE-BY'] ?? {})
  const compared = yearsOf(allYears)
  const known = differences.flatMap(({ places, days, years, only_in }) =>
    places.split(' ').flatMap((place) =>
      days.split(' ').flatMap((day) =>
        (years?.split(' ') ?? allYears)
          .filter((year) => compared.includes(year))
          .map((year) => {
            const date = moving[day]?.split(' ')[allYears.indexOf(year)] ?? day
            return `${place} ${year}-${date} only in ${only_in}`
          }),
      ),
    ),
  )
  expect(found.sort()).toEqual(known.sort())
  expect(Object.keys(places)).toHaveLength(16 + 9 + 26)
})

test('[D16.13] an unknown country has no holidays but those of partial, an unknown state those of its country', () => {
  const of = (country: string, state: string | null, partial = {}) =>
    [...holidaysUnder({ ...at(country, state), partial }, { from: '2026-01-01', to: '2026-12-31' }, knownDays)].length
  expect(of('ZZ', null)).toBe(0)
  expect(of('ZZ', 'toString', { '12-24': 1 })).toBe(1)
  expect(of('DE', 'XX')).toBe(of('DE', null))
})

test('lists countries, states and regions by name', () => {
  expect(holidayCountries()).toContain('AT')
  expect(holidayStates('DE', 'de')).toContainEqual(['BY', 'Bayern'])
  expect(holidayRegions('DE', 'BY', 'de')).toContainEqual(['A', 'Stadt Augsburg'])
  expect(holidayRegions('AT', '9', 'de')).toEqual([])
})
