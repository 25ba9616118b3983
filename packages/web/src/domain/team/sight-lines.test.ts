import { defaultPolicy } from '@saldo/core'
import { expect, test } from 'vitest'
import { monthLines, ruleLines, sightLines } from './sight-lines.ts'

test('[D26.8] the rules of a policy are sentences that name the kinds of absence', () => {
  expect(ruleLines({ ...defaultPolicy, second_stage: ['vacation', 'unpaid'] })).toEqual([
    { key: 'team.rule.ask', kinds: ['vacation'] },
    { key: 'team.rule.hr', kinds: ['vacation'] },
    { key: 'team.rule.cancel', kinds: ['vacation'] },
    { key: 'team.rule.tell', kinds: ['time_off_in_lieu', 'unpaid', 'paid_other'] },
    { key: 'team.rule.free', kinds: ['sick'] },
  ])
})

test('[D27.1] a member reads how months are locked, who changes their account, and how long sheets are kept', () => {
  expect(monthLines(defaultPolicy)).toEqual([
    { key: 'team.monthRule.lock' },
    { key: 'team.monthRule.propose' },
    { key: 'team.monthRule.kept', count: 36 },
  ])
  const stricter = { lock_unsubmitted: true, hr_changes: 'apply', months_kept: 120 } as const
  expect(monthLines({ ...defaultPolicy, ...stricter, managed: ['settings'] })).toEqual([
    { key: 'team.monthRule.lockUnsubmitted' },
    { key: 'team.monthRule.apply' },
    { key: 'team.monthRule.managed', parts: ['settings'] },
    { key: 'team.monthRule.kept', count: 120 },
  ])
})

test('[D25.7] a lead sees what the policy says, and a line is missing for what they do not see', () => {
  const keysOf = (more: object) => sightLines('lead', { ...defaultPolicy, ...more }).map(({ key }) => key)
  expect(keysOf({})).toEqual(['team.sees.requests', 'team.sees.kinds', 'team.sees.balance.light'])
  expect(keysOf({ lead_balance: 'none', lead_days: 'figures', lead_kinds: [] })).toEqual([
    'team.sees.requests',
    'team.sees.away',
    'team.sees.days.figures',
  ])
  expect(sightLines('deputy', defaultPolicy)).toEqual(sightLines('lead', defaultPolicy))
})

test('[D25.10] HR, payroll and works council have sentences of their own', () => {
  expect(sightLines('hr', defaultPolicy).map(({ key }) => key)).toEqual([
    'team.sees.allKinds',
    'team.sees.balance.figure',
    'team.sees.days.times',
  ])
  expect(sightLines('payroll', defaultPolicy)).toEqual([{ key: 'team.sees.payroll' }])
  expect(sightLines('auditor', defaultPolicy)).toEqual([{ key: 'team.sees.auditor' }])
})
