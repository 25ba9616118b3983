import { MINUTE_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { breakPresetOf, breakPresets, likelyBreakPreset, usualAutoClose } from './presets.ts'

test('the preset of a break policy is found by its values', () => {
  for (const [name, policy] of Object.entries(breakPresets)) expect(breakPresetOf(structuredClone(policy))).toBe(name)
  expect(breakPresetOf({ rules: [], min_piece_ms: 0 })).toBeUndefined()
})

test('the break rules are those of the law, in minutes', () => {
  const inMinutes = Object.values(breakPresets).map((policy) => [
    (policy?.min_piece_ms ?? 0) / MINUTE_MS,
    ...(policy?.rules ?? []).map((rule) => [rule.worked_above_ms / MINUTE_MS, rule.required_ms / MINUTE_MS]),
  ])
  expect(Object.keys(breakPresets)).toEqual(['none', 'de', 'at', 'ch'])
  expect(inMinutes).toEqual([[0], [15, [360, 30], [540, 45]], [10, [360, 30]], [15, [330, 15], [420, 30], [540, 60]]])
})

test('[D3.36] [D3.37] usually a day is closed a day after its end, and a week two days after its Sunday', () => {
  expect(usualAutoClose).toEqual({ day_after_ms: 24 * 60 * MINUTE_MS, week_after_days: 2 })
})

test('the proposed break rules are those of the time zone’s country, then of the locale’s', () => {
  expect(likelyBreakPreset('en-GB', 'Europe/Berlin')).toBe('de')
  expect(likelyBreakPreset('en-GB', 'Europe/Vienna')).toBe('at')
  expect(likelyBreakPreset('de-CH', 'Europe/Rome')).toBe('ch')
  expect(likelyBreakPreset('de', 'Europe/Zurich')).toBe('ch')
  expect(likelyBreakPreset('en-GB', 'Europe/London')).toBe('none')
  expect(likelyBreakPreset('de', 'Europe/London')).toBe('none')
})
