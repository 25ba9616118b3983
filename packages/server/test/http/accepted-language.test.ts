import { expect, test } from 'vitest'
import { acceptedLanguage } from '../../src/http/accepted-language.ts'

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['fr, it;q=0.8', 'en'],
  ['de', 'de'],
  ['DE-at', 'de'],
  ['en;q=0.5, de;q=0.8', 'de'],
  ['fr, de;q=0.2, en;q=0.1', 'de'],
  ['de, en', 'de'],
  ['en, de', 'en'],
  ['fr, de;q=0', 'en'],
  ['*', 'en'],
] as const)('[D19.19] a browser that accepts %j gets mails in %s', (header, language) => {
  expect(acceptedLanguage(header)).toBe(language)
})
