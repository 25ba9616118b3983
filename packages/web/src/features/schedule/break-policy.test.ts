import { HOUR_MS, MINUTE_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { withoutRule, withRule, withRules } from './break-policy.ts'

const six = { worked_above_ms: 6 * HOUR_MS, required_ms: 30 * MINUTE_MS }
const nine = { worked_above_ms: 9 * HOUR_MS, required_ms: 45 * MINUTE_MS }

test('the first rule makes a policy whose breaks count from 15 minutes, and the last one that goes ends it', () => {
  expect(withRules(null, [six])).toEqual({ rules: [six], min_piece_ms: 15 * MINUTE_MS })
  expect(withRules({ rules: [six], min_piece_ms: 0 }, [six, nine])).toEqual({ rules: [six, nine], min_piece_ms: 0 })
  expect(withRules({ rules: [six], min_piece_ms: 0 }, [])).toBeNull()
})

test('a changed rule leaves the others as they are', () => {
  const policy = { rules: [six, nine], min_piece_ms: 5 * MINUTE_MS }
  const changed = { ...nine, required_ms: HOUR_MS }
  expect(withRule(policy, 1, { required_ms: HOUR_MS })).toEqual({ ...policy, rules: [six, changed] })
  expect(withRule(null, 0, { required_ms: HOUR_MS })).toBeNull()
})

test('a removed rule leaves the others, and the last one that is removed ends the policy', () => {
  const policy = { rules: [six, nine], min_piece_ms: 5 * MINUTE_MS }
  expect(withoutRule(policy, 0)).toEqual({ ...policy, rules: [nine] })
  expect(withoutRule(policy, 1)).toEqual({ ...policy, rules: [six] })
  expect(withoutRule({ ...policy, rules: [six] }, 0)).toBeNull()
})
