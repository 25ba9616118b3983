import { expect, test } from 'vitest'
import { namesOfPlace, stateNames } from './state-names.ts'

test('states have English names in English, beside their own, and are sorted by them', () => {
  const english = stateNames('DE', 'en').map(([, name]) => name)
  expect(english.slice(0, 2)).toEqual(['Baden-Württemberg', 'Bavaria (Bayern)'])
  expect(english).toContain('Berlin')
  expect(new Map(stateNames('DE', 'de')).get('BY')).toBe('Bayern')
  expect(new Map(stateNames('AT', 'en')).get('9')).toMatch(/^Vienna/)
})

test('a place is named by its state and its region', () => {
  expect(namesOfPlace({ country: 'DE', state: null, region: null }, 'en')).toEqual([])
  expect(namesOfPlace({ country: 'DE', state: 'BY', region: null }, 'de')).toEqual(['Bayern'])
  expect(namesOfPlace({ country: 'DE', state: 'XX', region: null }, 'de')).toEqual(['XX'])
})
