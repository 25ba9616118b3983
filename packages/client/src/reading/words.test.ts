import { expect, test } from 'vitest'
import { fold, MONTHS, WEEKDAYS } from './words.ts'

const locales = ['en-GB', 'en-US', 'de-DE', 'de-AT', 'de-CH']
const lengths = ['long', 'short'] as const

/** Returns a name as people type it: without the dot of an abbreviation. */
const typed = (name: string) => fold(name).replace('.', '')

test('every name of a month and a weekday is known as each language writes it, in full and short', () => {
  for (const locale of locales) {
    for (const length of lengths) {
      const month = new Intl.DateTimeFormat(locale, { month: length, timeZone: 'UTC' })
      const weekday = new Intl.DateTimeFormat(locale, { weekday: length, timeZone: 'UTC' })
      for (let index = 0; index < 12; index += 1) {
        const name = typed(month.format(Date.UTC(2026, index, 15)))
        expect(MONTHS.get(name), `${locale} ${name}`).toBe(index + 1)
      }
      for (let index = 0; index < 7; index += 1) {
        const name = typed(weekday.format(Date.UTC(2026, 10, 16 + index)))
        expect(WEEKDAYS.get(name), `${locale} ${name}`).toBe(index)
      }
    }
  }
  // Common, though no language setting writes it.
  expect(MONTHS.get('mrz')).toBe(3)
})
