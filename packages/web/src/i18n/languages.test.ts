import { expect, test } from 'vitest'
import { languageFor, localeFor } from './languages.ts'

test('the first language that there are strings of is taken, English where there are none', () => {
  expect(languageFor(['fr-FR', 'de-AT', 'en'], ['de', 'en'])).toBe('de')
  expect(languageFor(['fr-FR'], ['de', 'en'])).toBe('en')
})

test('numbers and times are written the way of the region', () => {
  expect(localeFor('en', ['de-DE', 'en-GB'])).toBe('en-GB')
  expect(localeFor('de', ['en-GB'])).toBe('de')
})
