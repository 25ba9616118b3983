import { expect, test } from 'vitest'
import { likelyHolidays, withCountry, withState } from './place.ts'

test.each([
  ['de-DE', 'Europe/Berlin', 'DE'],
  ['en-US', 'Europe/Vienna', 'AT'],
  ['de-CH', 'Europe/Rome', 'CH'],
  ['fr-FR', 'Europe/Paris', 'FR'],
  ['en', 'Europe/Paris', undefined],
])('holidays are those of the zone or the region: %s in %s has %s', (locale, zone, country) => {
  const rule = country === undefined ? null : { country, state: null, region: null, partial: {} }
  expect(likelyHolidays(locale, zone)).toEqual(rule)
})

test('another country has no state or region yet, another state no region, and own days stay', () => {
  const partial = { '12-24': 0.5 }
  const rule = { country: 'DE', state: 'BY', region: 'A', partial }
  expect(withState(rule, 'HE')).toEqual({ country: 'DE', state: 'HE', region: null, partial })
  expect(withState(rule, null)).toEqual({ country: 'DE', state: null, region: null, partial })
  expect(withCountry(rule, 'AT')).toEqual({ country: 'AT', state: null, region: null, partial })
  expect(withCountry(null, 'AT')).toEqual({ country: 'AT', state: null, region: null, partial: {} })
})
