import { expect, test } from 'vitest'
import { folded, hasWords, wordsOf } from './find-words.ts'

test('words are found in any order and case, with or without accents', () => {
  const text = folded('Café in Köln, réunion')
  expect(hasWords(text, wordsOf(' KOLN  cafe'))).toBe(true)
  expect(hasWords(text, wordsOf('Réunion'))).toBe(true)
  expect(hasWords(text, wordsOf('köln paris'))).toBe(false)
  expect(hasWords(text, wordsOf(''))).toBe(true)
})
