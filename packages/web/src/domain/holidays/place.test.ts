import { expect, test } from 'vitest'
import { likelyHolidays } from './place.ts'

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
