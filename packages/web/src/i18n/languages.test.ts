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

test('a language of a region is for its readers, and for others of the same script', () => {
  const known = ['de', 'en', 'pt-BR', 'zh-CN', 'zh-TW']
  expect(languageFor(['pt-BR'], known)).toBe('pt-BR')
  expect(languageFor(['pt-PT', 'de'], known)).toBe('pt-BR')
  expect(languageFor(['pt-PT'], ['pt-BR', 'pt'])).toBe('pt')
  expect(languageFor(['zh-TW'], known)).toBe('zh-TW')
  expect(languageFor(['zh-HK'], known)).toBe('zh-TW')
  expect(languageFor(['zh'], known)).toBe('zh-CN')
  expect(languageFor(['zh-Hans-SG'], known)).toBe('zh-CN')
  expect(languageFor(['zh-TW', 'de'], ['de', 'en', 'zh-CN'])).toBe('de')
  expect(localeFor('pt-BR', ['en', 'pt-PT'])).toBe('pt-PT')
  expect(localeFor('zh-TW', ['zh-CN'])).toBe('zh-TW')
})

test('languages whose names begin alike are different, and a text that is no language is none', () => {
  expect(languageFor(['fil'], ['en', 'fi'])).toBe('en')
  expect(languageFor(['C', '', 'x-klingon', 'german'], ['de', 'en'])).toBe('en')
  expect(languageFor(['C', 'de-DE-1996'], ['de', 'en'])).toBe('de')
  expect(localeFor('fi', ['fil-PH'])).toBe('fi')
})
