import {
  type AbsenceRule,
  type ChosenAbsenceKind,
  type CompanyPolicy,
  chosenAbsenceKinds,
  type ManagedPart,
  type TeamRole,
} from '@saldo/core'

/** A sentence: the key of its text, and the kinds of absence, parts of the account or number that it names. */
export interface PolicyLine {
  key: string
  kinds?: readonly ChosenAbsenceKind[]
  parts?: readonly ManagedPart[]
  count?: number
}

/** Returns in sentences what a member does about absences: asks, or enters them. */
export function ruleLines({ absences, cancel_ahead, second_stage }: CompanyPolicy): PolicyLine[] {
  const under = (rule: AbsenceRule) => chosenAbsenceKinds.filter((kind) => absences[kind] === rule)
  const asked = under('ask')
  return linesWithKinds([
    ['team.rule.ask', asked],
    ['team.rule.hr', asked.filter((kind) => second_stage.includes(kind))],
    ['team.rule.cancel', asked.filter((kind) => cancel_ahead.includes(kind))],
    ['team.rule.tell', under('tell')],
    ['team.rule.free', under('free')],
  ])
}

/** Returns in sentences how months are locked, who changes the account, and for how long sheets are kept. */
export function monthLines({ lock_unsubmitted, hr_changes, managed, months_kept }: CompanyPolicy): PolicyLine[] {
  return [
    { key: lock_unsubmitted ? 'team.monthRule.lockUnsubmitted' : 'team.monthRule.lock' },
    { key: `team.monthRule.${hr_changes}` },
    ...(managed.length === 0 ? [] : [{ key: 'team.monthRule.managed', parts: managed }]),
    { key: 'team.monthRule.kept', count: months_kept },
  ]
}

/** Returns in sentences what a role sees of a person, by a policy. `sightOf` of core decides it. */
export function sightLines(role: TeamRole, policy: CompanyPolicy): PolicyLine[] {
  switch (role) {
    case 'lead':
    case 'deputy':
      return [
        { key: 'team.sees.requests' },
        ...(policy.lead_kinds.length === 0
          ? [{ key: 'team.sees.away' }]
          : [{ key: 'team.sees.kinds', kinds: policy.lead_kinds }]),
        ...(policy.lead_balance === 'none' ? [] : [{ key: `team.sees.balance.${policy.lead_balance}` }]),
        ...(policy.lead_days === 'none' ? [] : [{ key: `team.sees.days.${policy.lead_days}` }]),
      ]
    case 'hr':
      return [{ key: 'team.sees.allKinds' }, { key: 'team.sees.balance.figure' }, { key: 'team.sees.days.times' }]
    case 'payroll':
    case 'auditor':
      return [{ key: `team.sees.${role}` }]
  }
}

function linesWithKinds(lines: [string, ChosenAbsenceKind[]][]): PolicyLine[] {
  return lines.filter(([, kinds]) => kinds.length > 0).map(([key, kinds]) => ({ key, kinds }))
}
