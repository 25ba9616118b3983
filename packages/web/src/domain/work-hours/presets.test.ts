import { HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { breakPresetOf, breakPresets, likelyBreakPreset, weekPresetOf, weekPresets } from './presets.ts'

test('the preset of a week or a break policy is found by its values', () => {
  for (const [name, week] of Object.entries(weekPresets)) expect(weekPresetOf(week)).toBe(name)
  expect(weekPresetOf([1, 2, 3, 4, 5, 6, 7])).toBe('own')
  for (const [name, policy] of Object.entries(breakPresets)) expect(breakPresetOf(structuredClone(policy))).toBe(name)
  expect(breakPresetOf({ rules: [], min_piece_ms: 0 })).toBeUndefined()
})

test('each week preset adds up to the hours in its name', () => {
  const hours = (week: readonly number[]) => week.reduce((sum, ms) => sum + ms, 0) / HOUR_MS
  expect(Object.values(weekPresets).map(hours)).toEqual([40, 38.5, 35, 32])
})

test('the proposed break rules are those of the time zone’s country, then of the locale’s', () => {
  expect(likelyBreakPreset('en-GB', 'Europe/Vienna')).toBe('at')
  expect(likelyBreakPreset('de-CH', 'Europe/Rome')).toBe('ch')
  expect(likelyBreakPreset('de', 'Europe/Zurich')).toBe('ch')
  expect(likelyBreakPreset('en-GB', 'Europe/London')).toBe('none')
})
