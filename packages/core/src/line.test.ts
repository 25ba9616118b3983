import fc from 'fast-check'
import { expect, test } from 'vitest'
import { character } from '../test/arbitraries.ts'
import { asLine, isLine } from './line.ts'

test('[D1.39] a text as one line is a line, and a line stays as it is', () => {
  const unit = fc.oneof(character, fc.constantFrom('\r', '\u202e', '\ud800'))
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      const line = asLine(text)
      expect(isLine(line)).toBe(true)
      expect(asLine(line)).toBe(line)
      if (isLine(text)) expect(line).toBe(text)
    }),
  )
})

test('[D1.39] names of right-to-left scripts and emoji of several characters are lines', () => {
  for (const name of ['محمد\u200f', 'نیم\u200cفاصله', '👩\u200d💻', 'Zoë', '日本', '-1', 'a;b'])
    expect(isLine(name)).toBe(true)
})

test('[D1.39] control characters, line breaks and overrides of the direction are replaced', () => {
  expect(asLine('a\r\n\u2028b\u001b[2Jc\u0085d\u202ee\u2067f\ud800g')).toBe('a b [2Jc d e f g')
})
