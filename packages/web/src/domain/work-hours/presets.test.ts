import { expect, test } from 'vitest'
import { breakPresetOf, breakPresets, likelyBreakPreset } from './presets.ts'

test('the preset of a break policy is found by its values', () => {
  for (const [name, policy] of Object.entries(breakPresets)) expect(breakPresetOf(structuredClone(policy))).toBe(name)
  expect(breakPresetOf({ rules: [], min_piece_ms: 0 })).toBeUndefined()
})

test('the proposed break rules are those of the time zone’s country, then of the locale’s', () => {
  expect(likelyBreakPreset('en-GB', 'Europe/Vienna')).toBe('at')
  expect(likelyBreakPreset('de-CH', 'Europe/Rome')).toBe('ch')
  expect(likelyBreakPreset('de', 'Europe/Zurich')).toBe('ch')
  expect(likelyBreakPreset('en-GB', 'Europe/London')).toBe('none')
})
