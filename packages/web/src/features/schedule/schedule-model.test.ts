import { aSettingsRow } from '@saldo/client/testing'
import { HOUR_MS, MINUTE_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import {
  choiceOf,
  chooseDay,
  dayChoices,
  daysToChoose,
  formSpanOf,
  isFilledSpan,
  usualLimits,
  withExpiry,
  withoutRule,
  withRule,
  withRules,
  zoneChangeOf,
} from './schedule-model.ts'

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

test('an expiry keeps what the yellow range allows at the end of the year, and goes without a trace', () => {
  const limits = { ...usualLimits, yellow_ms: 50 * HOUR_MS }
  const expiring = { ...limits, period_ends: ['12-31'], keep_at_most_ms: 50 * HOUR_MS }
  expect(withExpiry(limits, true)).toEqual(expiring)
  expect(withExpiry(expiring, false)).toEqual(limits)
})

test('limits begin without an expiry, with the green range within the yellow one', () => {
  expect(usualLimits).toEqual({
    green_ms: 20 * HOUR_MS,
    yellow_ms: 40 * HOUR_MS,
    period_ends: [],
    keep_at_most_ms: null,
  })
})

test('the days to choose are the ends of the months and what is chosen, each once and in order', () => {
  expect(daysToChoose([])).toHaveLength(12)
  expect(daysToChoose(['12-31', '02-15']).slice(0, 3)).toEqual(['01-31', '02-15', '02-29'])
  expect(daysToChoose(['12-31', '02-15']).slice(-2)).toEqual(['11-30', '12-31'])
})

const rule = { country: 'DE', state: 'BY', region: null, partial: { '12-31': 0.25 } }

test.each([
  ['usual', undefined],
  ['working', 0],
  ['half', 0.5],
  ['free', 1],
] as const)('a day that is chosen as %s has the share %s, and other days keep theirs', (choice, share) => {
  const chosen = chooseDay(chooseDay(rule, '12-24', 'free'), '12-24', choice)
  expect(chosen).toEqual({ ...rule, partial: { '12-31': 0.25, ...(share !== undefined && { '12-24': share }) } })
  expect(choiceOf(chosen, '12-24')).toBe(choice)
  expect(choiceOf(chosen, '12-31')).toBe('other')
})

test('each choice is offered once', () => {
  expect(dayChoices).toEqual([...new Set(dayChoices)])
})

test.each([
  ['', '', true],
  ['09:00', '', false],
  ['', '15:00', false],
  ['09:00', '09:00', false],
  ['15:00', '09:00', false],
  ['09:00', '15:00', true],
])('a span from «%s» to «%s» can be saved: %s', (from, to, isFilled) => {
  const span = formSpanOf({ from, to })
  expect(span).toEqual(from === '' && to === '' ? null : { from, to })
  expect(isFilledSpan(span)).toBe(isFilled)
})

const berlin = aSettingsRow({ effective_from: '2026-01-01' })
const newYork = aSettingsRow({ effective_from: '2026-11-02', time_zone: 'America/New_York' })

test('a move to the west makes the day before it longer', () => {
  expect(zoneChangeOf(newYork, [berlin], '2026-11-21')).toEqual({
    from: '2026-11-02',
    zone: 'America/New_York',
    zoneBefore: 'Europe/Berlin',
    hasBorder: true,
    isPast: true,
    unusualDays: [{ date: '2026-11-01', lengthMs: 30 * HOUR_MS }],
  })
})

test('a change from today on leaves past days as they are, one from yesterday on does not', () => {
  expect(zoneChangeOf(newYork, [berlin], '2026-11-02')).toMatchObject({ isPast: false })
  expect(zoneChangeOf(newYork, [berlin], '2026-11-03')).toMatchObject({ isPast: true })
})

test('another zone from the beginning has no border', () => {
  const corrected = { ...berlin, time_zone: 'Europe/London' }
  expect(zoneChangeOf(corrected, [berlin], '2026-11-21')).toMatchObject({ hasBorder: false, unusualDays: [] })
})

test('the same zone, and that of the first row, change nothing', () => {
  expect(zoneChangeOf({ ...newYork, time_zone: 'Europe/Berlin' }, [berlin], '2026-11-21')).toBeUndefined()
  expect(zoneChangeOf(berlin, [], '2026-11-21')).toBeUndefined()
})

test('a row that moves to another date has its border there, after the settings before it', () => {
  const moved = { ...newYork, effective_from: '2026-11-09', time_zone: 'Europe/London' } as const
  expect(zoneChangeOf(moved, [berlin, newYork], '2026-11-21')).toMatchObject({
    zoneBefore: 'America/New_York',
    unusualDays: [{ date: '2026-11-08', lengthMs: 25 * HOUR_MS }],
  })
})
