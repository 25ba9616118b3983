import {
  absenceKinds,
  isPayrollCode,
  type PayrollColumn,
  type PayrollMapping,
  type PayrollSum,
  type PayrollUnit,
  payrollColumns,
  payrollSums,
} from '@saldo/core'

/** A sum goes to payroll, or is left out on purpose; a kind of absence can be undecided, and then stops files. */
export type RuleChoice = 'undecided' | 'send' | 'leave_out'

/** The rule for a sum as the form edits it. */
export interface RuleDraft {
  sum: PayrollSum
  choice: RuleChoice
  wageType: string
  unit: PayrollUnit
}

/** The mapping as the form edits it: with all columns, in their order, and all sums. */
export interface MappingForm extends Omit<PayrollMapping, 'columns' | 'rules'> {
  columns: { column: PayrollColumn; isShown: boolean }[]
  rules: RuleDraft[]
}

/** Returns the form of a mapping. */
export function formOfMapping({ columns, rules, ...form }: PayrollMapping): MappingForm {
  const others = payrollColumns.filter((column) => !columns.includes(column))
  return {
    ...form,
    columns: [
      ...columns.map((column) => ({ column, isShown: true })),
      ...others.map((column) => ({ column, isShown: false })),
    ],
    rules: payrollSums.map((sum) => {
      const rule = rules.find((each) => each.sum === sum)
      const choice = rule ? (rule.wage_type === null ? 'leave_out' : 'send') : choicesOf(sum)[0]
      return { sum, choice, wageType: rule?.wage_type ?? '', unit: rule?.unit ?? unitsOf(sum)[0] }
    }),
  }
}

/** Returns the mapping of a form. */
export function mappingOfForm({ columns, rules, ...form }: MappingForm): PayrollMapping {
  return {
    ...form,
    columns: columns.filter(({ isShown }) => isShown).map(({ column }) => column),
    rules: rules
      .filter(({ choice }) => choice !== 'undecided')
      .map(({ sum, choice, wageType, unit }) => ({ sum, wage_type: choice === 'send' ? wageType : null, unit })),
  }
}

/** Returns the choices of a sum, first that of a sum without a rule. */
export function choicesOf(sum: PayrollSum): [RuleChoice, ...RuleChoice[]] {
  return isAbsence(sum) ? ['undecided', 'send', 'leave_out'] : ['leave_out', 'send']
}

/** Returns the units of a sum, the usual one first. Only absences have days. */
export function unitsOf(sum: PayrollSum): [PayrollUnit, ...PayrollUnit[]] {
  return isAbsence(sum) ? ['days', 'hours', 'minutes'] : ['hours', 'minutes']
}

function isAbsence(sum: PayrollSum): boolean {
  return absenceKinds.some((kind) => kind === sum)
}

/** True if a sum goes to payroll with a text that cannot be a wage type. */
export function lacksWageType({ choice, wageType }: RuleDraft): boolean {
  return choice === 'send' && !isPayrollCode(wageType)
}

/** Returns a list with one of its items a place further up or down. */
export function withMoved<Item>(items: readonly Item[], index: number, by: 1 | -1): Item[] {
  const rest = items.filter((_, at) => at !== index)
  return [...rest.slice(0, index + by), ...items.slice(index, index + 1), ...rest.slice(index + by)]
}
