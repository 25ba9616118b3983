import { expect, test } from 'vitest'
import { LAST_DATE } from '../date.ts'
import { itemAt } from '../list.ts'
import { parseContent } from '../record.ts'
import type { WritableKind } from '../record-kinds.ts'
import type { LocalDate } from '../values.ts'
import { isManaged, isToAskFor, type MemberRules, needsApproval } from './approval.ts'
import type { ManagedPart } from './policy.ts'

const rules: MemberRules = {
  company: 1,
  dates: [{ from: '2026-06-01', to: LAST_DATE }],
  versions: [
    { from: '2026-06-01', ask: ['vacation'], cancelAhead: ['vacation'], managed: [] },
    { from: '2026-12-01', ask: ['vacation', 'unpaid'], cancelAhead: [], managed: [] },
  ],
}
const today = '2026-11-28'

function entry(kind: string, date: string, more: object = {}): Record<string, unknown> {
  const parsed = parseContent('entries', { kind, date, ...more })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return parsed.value
}
const work = entry('work', '2026-11-28', { started_at: '2026-11-28T08:00:00Z' })
const asked = (content: Record<string, unknown> | null, before?: Record<string, unknown>) =>
  needsApproval({ kind: 'entries', content }, before && { content: before }, rules, today)

test('[D27.10] changes that rules of a company reject can be asked for, and no others', () => {
  const codes = ['approval_needed', 'locked', 'managed', 'quota_exceeded', 'invalid_record'] as const
  expect(codes.map((code) => isToAskFor({ code }))).toEqual([true, true, true, false, false])
})

test('[D28.6] HR manages the parts that the policy names, and grants in their old and new kind', () => {
  const grant = entry('vacation_grant', '2026-11-01', { days: 1 })
  const rulesOf = (...managed: ManagedPart[]): MemberRules => ({
    ...rules,
    versions: [{ ...itemAt(rules.versions, 0), managed }],
  })
  const ofGrants = rulesOf('grants')
  const managed = (content: Record<string, unknown> | null, before?: Record<string, unknown>, by = ofGrants) =>
    isManaged({ kind: 'entries', content }, before && { content: before }, by, today)
  for (const content of [grant, null, work]) expect(managed(content, grant)).toBe(true)
  expect(managed(grant)).toBe(true)
  expect(managed(grant, undefined, rules)).toBe(false)
  expect(managed(work)).toBe(false)
  for (const part of ['settings', 'adjustments', 'grants'] as const) {
    const isOf = (kind: WritableKind, content: Record<string, unknown>) =>
      isManaged({ kind, content }, undefined, rulesOf(part), today)
    const parts = [isOf('settings_history', {}), isOf('balance_adjustments', {}), isOf('entries', grant)]
    expect(parts).toEqual([part === 'settings', part === 'adjustments', part === 'grants'])
  }
})

test('[D26.9] an absence of a kind under ask needs approval, whether it is made, changed or deleted', () => {
  expect(asked(entry('vacation', '2026-12-24'))).toBe(true)
  expect(asked(entry('vacation', '2026-12-24'), entry('vacation', '2026-12-23'))).toBe(true)
  expect(asked(entry('vacation', '2026-12-24', { day_share: 0.5 }), entry('vacation', '2026-12-24'))).toBe(true)
  expect(asked(entry('sick', '2026-12-24'), entry('vacation', '2026-12-24'))).toBe(true)
  expect(asked(entry('vacation', '2026-12-24'), entry('sick', '2026-12-24'))).toBe(true)
  expect(asked(null, entry('vacation', '2026-11-28'))).toBe(true)
})

test('[D26.9] sickness, work and requests need none, nor do texts of an approved absence', () => {
  expect(asked(entry('sick', '2026-12-24'))).toBe(false)
  expect(asked(work)).toBe(false)
  expect(asked(entry('vacation', '2026-12-24', { note: 'Rome' }), entry('vacation', '2026-12-24'))).toBe(false)
  expect(asked(entry('request', '2026-12-24', { asks: 'absence', last_date: '2026-12-24', absence: 'vacation' }))).toBe(
    false,
  )
})

test('[D26.9] dates before joining are the own matter of the user', () => {
  expect(asked(entry('vacation', '2026-05-31'))).toBe(false)
  expect(asked(entry('vacation', '2026-06-01'))).toBe(true)
})

test('[D26.8] an absence that lies ahead can be cancelled where the policy says so, and one of today cannot', () => {
  expect(asked(null, entry('vacation', '2026-11-29'))).toBe(false)
  expect(asked(null, entry('vacation', '2026-11-28'))).toBe(true)
  expect(
    needsApproval(
      { kind: 'entries', content: null },
      { content: entry('vacation', '2027-01-01') },
      rules,
      '2026-12-01',
    ),
  ).toBe(true)
})

test('[D25.9] the policy of the present date decides', () => {
  const unpaid = { kind: 'entries' as const, content: entry('unpaid', '2026-12-24') }
  expect(needsApproval(unpaid, undefined, rules, '2026-11-30')).toBe(false)
  expect(needsApproval(unpaid, undefined, rules, '2026-12-01')).toBe(true)
})

test('[D24.3] [D26.9] [D28.6] rules hold on the dates of a membership alone, before and between them none', () => {
  const vacation = { kind: 'entries' as const, content: entry('vacation', '2026-12-24') }
  const settings = { kind: 'settings_history' as const, content: {} }
  const after = { from: '2026-12-20', to: LAST_DATE } as const
  const versions = [{ ...itemAt(rules.versions, 0), managed: ['settings'] as const }]
  const holds = (...dates: MemberRules['dates']) => {
    const of = { ...rules, versions, dates }
    return [needsApproval(vacation, undefined, of, today), isManaged(settings, undefined, of, today)]
  }
  expect(holds({ from: '2026-06-01', to: LAST_DATE })).toEqual([true, true])
  expect(holds(after)).toEqual([false, false])
  expect(holds({ from: '2026-06-01', to: '2026-11-27' }, after)).toEqual([false, false])
  expect(holds({ from: '2026-06-01', to: '2026-11-28' }, after)).toEqual([true, true])
  // They hold for 62 days after the last date, for what is of its dates.
  const ended = { from: '2026-06-01', to: '2026-11-27' } as const
  const until = (today: LocalDate, date: LocalDate) => {
    const of = { ...rules, versions, dates: [ended] }
    const row = { kind: 'settings_history' as const, content: { effective_from: date } }
    const day = { kind: 'entries' as const, content: entry('vacation', date) }
    return [needsApproval(day, undefined, of, today), isManaged(row, undefined, of, today)]
  }
  expect(until('2027-01-28', '2026-11-27')).toEqual([true, true])
  expect(until('2027-01-28', '2026-11-28')).toEqual([false, false])
  expect(until('2027-01-29', '2026-11-27')).toEqual([false, false])
  // Nobody could approve what is outside.
  expect(holds({ from: '2026-06-01', to: '2026-12-23' })).toEqual([false, true])
})
