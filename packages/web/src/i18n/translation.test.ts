import { expect, test } from 'vitest'
import { addStrings, translator } from './translation.ts'

function translatorOf(language: string, ...parts: Parameters<typeof addStrings>[1][]) {
  const strings = new Map<string, string>()
  for (const part of parts) addStrings(strings, part)
  return translator(language, strings)
}

test.each([
  ['week.title', {}, 'Week'],
  ['week.of', { name: '$& {{count}}', other: 'x' }, '$& {{count}} of $& {{count}}, '],
  ['week.rows', { count: 1 }, '1 row'],
  ['week.rows', { count: 0 }, '0 rows'],
  ['week.shown', { count: 1 }, 'shown: 1'],
  ['week', {}, 'week'],
  ['week.constructor', {}, 'week.constructor'],
] as const)('%s with %o is «%s»', (key, values, expected) => {
  const t = translatorOf(
    'en',
    { week: { title: 'Week', of: '{{name}} of {{name}}, {{missing}}' } },
    { week: { rows_one: '{{count}} row', rows_other: '{{count}} rows', shown: 'shown: {{count}}' } },
  )
  expect(t(key, values)).toBe(expected)
})

test('a count takes the plural of the language', () => {
  const t = translatorOf('pl', { day_one: 'dzień', day_few: 'dni', day_many: 'dni (5)', day_other: 'dnia' })
  expect([1, 2, 5, 1.5].map((count) => t('day', { count }))).toEqual(['dzień', 'dni', 'dni (5)', 'dnia'])
})
