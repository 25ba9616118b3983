import { expect, test } from 'vitest'
import { languageFor, localeFor } from './languages.ts'

test('the app speaks the first preferred language that it has, or else English', () => {
  expect(languageFor(['fr-FR', 'de-AT', 'en'], ['de', 'en'])).toBe('de')
  expect(languageFor(['DE'], ['de', 'en'])).toBe('de')
  expect(languageFor(['fr-FR'], ['de', 'en'])).toBe('en')
})

test('numbers and times follow the region', () => {
  expect(localeFor('en', ['de-DE', 'en-GB'])).toBe('en-GB')
  expect(localeFor('en', ['de-DE', 'EN-IE', 'en-GB'])).toBe('EN-IE')
  expect(localeFor('de', ['en-GB'])).toBe('de')
})
