import { expect, test } from 'vitest'
import { readFixture } from '../test/fixtures.ts'
import { addDays, dateInYear, weekdayIndex } from './date.ts'
import { holidayCorrections } from './holiday-corrections.ts'
import type { HolidayPlaceCodes } from './holidays.ts'
import { holidayRegions, holidayStates, knownDays } from './public-holidays.ts'

interface Cantons {
  years: string
  /** The date of a day in each year, or one date for all; `-` where it is no holiday. */
  dates: Record<string, string>
  /** Days that are always a Sunday, and of rest in every canton or none. */
  sundays: Record<string, string>
  everywhere: string
  places: { place: string; law: string; days: string; half_days?: string }[]
}
const { years, dates, sundays, everywhere, places } = readFixture<Cantons>('holidays/cantons')

function placeOf(text: string): HolidayPlaceCodes {
  const [country = '', state = null, region = null] = text.split('-')
  return { country, state, region }
}

/** Returns the public days of a year as `12-26`, half days as `05-01 half`. */
function publicDays(place: HolidayPlaceCodes, year: number): string[] {
  const days = knownDays(place, year).filter(({ isPublic }) => isPublic)
  return days.map(({ date, share }) => date.slice(5) + (share === 1 ? '' : ' half'))
}

test.each(places)('[D16.15] the holidays of $place are those of its law: $law', ({ place, days, half_days = '' }) => {
  const names = `${everywhere} ${days}`.split(' ')
  const halves = half_days.split(' ').filter((name) => name !== '')
  for (const [index, year] of years.split(' ').entries()) {
    const dateOf = (name: string, known = dates) => {
      const each = (known[name] ?? '').split(' ')
      return each[index] ?? each[0] ?? ''
    }
    const expected = [...names.map((name) => dateOf(name)), ...halves.map((name) => `${dateOf(name)} half`)]
    const always = Object.keys(sundays).map((name) => dateOf(name, sundays))
    const found = publicDays(placeOf(place), Number(year)).filter((date) => !always.includes(date))
    expect([year, ...found.sort()]).toEqual([year, ...expected.filter((date) => date !== '-').sort()])
  }
})

test('[D16.15] every canton and every region that is added has its law', () => {
  const cantons = holidayStates('CH', 'de').map(([code]) => `CH-${code}`)
  const regions = Object.entries(holidayCorrections).flatMap(([state, { regions: added }]) =>
    Object.keys(added).map((code) => `${state}-${code}`),
  )
  expect(places.map(({ place }) => place).sort()).toEqual([...cantons, ...regions].sort())
  expect(cantons).toHaveLength(26)
})

test('[D16.15] the Näfelser Fahrt is on the first Thursday of April, a week later if that is Maundy Thursday', () => {
  const moved: number[] = []
  for (let year = 2000; year < 2050; year += 1) {
    const april = dateInYear(year, '04-01')
    const first = addDays(april, (7 + 3 - weekdayIndex(april)) % 7)
    const known = knownDays(placeOf('CH-GL'), year)
    const easter = known.find(({ name }) => name === 'Ostersonntag')?.date
    const isMaundyThursday = easter === addDays(first, 3)
    if (isMaundyThursday) moved.push(year)
    const fahrt = known.filter(({ name }) => name === 'Näfelser Fahrt').map(({ date }) => date)
    expect(fahrt).toEqual([isMaundyThursday ? addDays(first, 7) : first])
  }
  expect(moved).toEqual([2007, 2010, 2012, 2015, 2021, 2023, 2026, 2034, 2037, 2039, 2042, 2045, 2048])
})

test('[D16.13] [D16.15] a region that is added has the days of its canton too, and an unknown one those alone', () => {
  const daysIn = (place: string) => publicDays(placeOf(place), 2026)
  expect(daysIn('CH-FR-K')).toEqual(expect.arrayContaining(daysIn('CH-FR')))
  expect(daysIn('CH-FR-XX')).toEqual(daysIn('CH-FR'))
})

test('[D16.15] the regions of a canton have names in German and English', () => {
  expect(holidayRegions('CH', 'FR', 'de')).toEqual([
    ['K', 'Katholischer Kantonsteil'],
    ['R', 'Reformierter Kantonsteil'],
  ])
  expect(holidayRegions('CH', 'FR', 'en-GB')).toContainEqual(['K', 'Catholic part of the canton'])
  expect(holidayRegions('CH', 'FR', 'rm')).toContainEqual(['K', 'Katholischer Kantonsteil'])
})
