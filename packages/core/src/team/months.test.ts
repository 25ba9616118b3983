import { describe, expect, test } from 'vitest'
import { readFixture } from '../../test/fixtures.ts'
import type { WritableKind } from '../record-kinds.ts'
import type { AccountSettings } from '../timeline.ts'
import type { Month, RecordId } from '../values.ts'
import { datesOfMonth, decideMonth, isWithinMembership, monthAfter, monthsIn, touchedDates } from './months.ts'

const { settings, locked, cases } = readFixture<{
  settings: object
  locked: Month[]
  cases: {
    why: string
    kind: WritableKind
    before?: Record<string, unknown>
    content: Record<string, unknown> | null
    result: 'applied' | 'locked'
  }[]
}>('team-locks')

const id = '00000000-0000-4000-8000-000000000001' as RecordId
const common = { id: 'other', break_policy: null, auto_close: null }

test.each(cases)('[D27.4] [D27.15] $why', ({ kind, before, content, result }) => {
  const rows = [
    { ...common, ...settings },
    ...(kind === 'settings_history' && before ? [{ ...common, ...before, id }] : []),
  ]
  const state = before && { content: { ...before } }
  const dates = touchedDates({ kind, id, content }, state, rows as unknown as AccountSettings[])
  expect(monthsIn(locked, dates).length > 0 ? 'locked' : 'applied').toBe(result)
})

test('[D27.18] a change is of a membership if its dates are, with settings from the day after it', () => {
  const memberDates = [
    { from: '2026-03-01', to: '2026-03-31' },
    { from: '2026-06-01', to: '2026-12-31' },
  ] as const
  const rows = [{ ...common, ...settings }] as unknown as AccountSettings[]
  const isWithin = (kind: WritableKind, content: object | null, before?: object) =>
    isWithinMembership({ kind, content: content && { ...content } }, before && { content: { ...before } }, {
      rows,
      memberDates,
    })
  const sick = (date: string) => ({ kind: 'sick', date })
  const night = { kind: 'work', started_at: '2026-03-31T20:00:00.000Z', ended_at: '2026-04-01T02:00:00.000Z' }
  expect(isWithin('entries', sick('2026-03-31'))).toBe(true)
  expect(isWithin('entries', sick('2026-04-01'))).toBe(false)
  expect(isWithin('entries', sick('2026-03-31'), sick('2026-04-01'))).toBe(false)
  expect(isWithin('entries', null, sick('2026-05-31'))).toBe(false)
  expect(isWithin('entries', night)).toBe(false)
  expect(isWithin('entries', { kind: 'vacation_grant', date: '2026-01-01', days: 20 })).toBe(false)
  expect(isWithin('entries', { kind: 'request', date: '2026-03-30', last_date: '2026-06-02' })).toBe(false)
  expect(isWithin('balance_adjustments', { effective_date: '2026-06-01' })).toBe(true)
  expect(isWithin('balance_adjustments', { effective_date: '2027-01-01' })).toBe(false)
  expect(isWithin('settings_history', { effective_from: '2027-01-01' })).toBe(true)
  expect(isWithin('settings_history', { effective_from: '2027-01-02' })).toBe(false)
  expect(isWithin('settings_history', null, { effective_from: '2026-02-28' })).toBe(false)
})

test('months follow each other over the end of a year', () => {
  expect(monthAfter('2026-12', 1)).toBe('2027-01')
  expect(monthAfter('2026-01', -1)).toBe('2025-12')
  expect(datesOfMonth('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
})

describe('[D27.1] an action on a month', () => {
  const owner = { isOwner: true, isLead: false, isHr: false }
  const lead = { isOwner: false, isLead: true, isHr: false }
  const hr = { isOwner: false, isLead: false, isHr: true }
  const strict = { lock_unsubmitted: false }

  test.each([
    ['open', 'submit', owner, 'submitted'],
    ['submitted', 'submit', owner, 'unchanged'],
    ['locked', 'submit', owner, 'locked'],
    ['submitted', 'withdraw', owner, 'open'],
    ['locked', 'withdraw', owner, 'locked'],
    ['open', 'submit', lead, 'not_allowed'],
    ['submitted', 'return', lead, 'open'],
    ['submitted', 'return', owner, 'not_allowed'],
    ['submitted', 'lock', lead, 'locked!'],
    ['submitted', 'lock', owner, 'not_allowed'],
    ['open', 'lock', lead, 'not_submitted'],
    ['open', 'lock', hr, 'not_submitted'],
    ['locked', 'lock', hr, 'unchanged'],
    ['locked', 'reopen', lead, 'not_allowed'],
    ['locked', 'reopen', hr, 'open'],
    ['open', 'reopen', hr, 'unchanged'],
    ['submitted', 'reopen', hr, 'unchanged'],
  ] as const)('%s, %s', (state, action, actor, expected) => {
    const decided = decideMonth(state, action, actor, strict)
    const word =
      decided.outcome === 'changed' ? decided.state : decided.outcome === 'refused' ? decided.why : 'unchanged'
    expect(word).toBe(expected.replace('!', ''))
    expect(decided.outcome === 'changed').toBe(['submitted', 'open', 'locked!'].includes(expected))
  })

  test('HR alone locks without submission, where the policy says so', () => {
    const policy = { lock_unsubmitted: true }
    expect(decideMonth('open', 'lock', hr, policy)).toEqual({ outcome: 'changed', state: 'locked' })
    expect(decideMonth('open', 'lock', lead, policy)).toEqual({ outcome: 'refused', why: 'not_submitted' })
  })
})
