import { expect, test } from 'vitest'
import type { Month, UserNumber } from '../values.ts'
import {
  noMapping,
  type PayrollAmount,
  type PayrollMapping,
  type PayrollPerson,
  payrollAmounts,
  payrollDifferences,
  payrollObstacles,
  payrollText,
} from './payroll.ts'
import type { StoredSheet } from './stored-sheet.ts'

const HOUR_MS = 3_600_000
const sheet = {
  month: '2026-10',
  totals: {
    ...{ worked_ms: 9.25 * HOUR_MS, target_ms: 8 * HOUR_MS, credited_ms: 0, delta_ms: 1.25 * HOUR_MS },
    adjustments_ms: 0,
  },
  absences: [{ kind: 'sick', days: 0.333333333, ms: 9_599_999 }],
  balance_out_ms: -90_000,
} as unknown as StoredSheet
const person = (user: number, more: Partial<PayrollPerson> = {}): PayrollPerson => ({
  ...{ user: user as UserNumber, name: `P${user}`, personnelNumber: `00${user}`, costCentre: '', sheet },
  ...more,
})
const mapping = (more: Partial<PayrollMapping> = {}): PayrollMapping => ({
  ...noMapping,
  rules: [
    { sum: 'worked', wage_type: '100', unit: 'hours' },
    { sum: 'balance', wage_type: '900', unit: 'minutes' },
    { sum: 'sick', wage_type: '300', unit: 'days' },
  ],
  ...more,
})
const amounts = (people: PayrollPerson[], of = mapping()) => people.flatMap((each) => payrollAmounts(each, of))

test('[D31.2] amounts are in the unit of their rule, and the decimal sign and separator are chosen', () => {
  const people = new Map([[1 as UserNumber, person(1)]])
  expect(payrollText(amounts([person(1)]), people, mapping())).toBe(
    [
      'personnel_number;name;month;wage_type;amount;unit',
      ...['001;P1;2026-10;100;9,25;hours', '001;P1;2026-10;300;0,33;days', '001;P1;2026-10;900;-1;minutes', ''],
    ].join('\r\n'),
  )
  const comma = mapping({ separator: ',', header: false, columns: ['name', 'amount'] })
  const named = new Map([[1 as UserNumber, person(1, { name: '"A", B' })]])
  expect(payrollText(amounts([person(1)], comma), named, comma).split('\r\n')[0]).toBe('"""A"", B","9,25"')
})

test('[D31.3] no cell can start a formula', () => {
  for (const name of ['=1+1', '+1', '-1', '@x', '\t=1', ' =1', 'A;=1+1', 'A,=1+1,B', '＝1']) {
    const texts = { name, costCentre: name, personnelNumber: name }
    const people = new Map([[1 as UserNumber, person(1, texts)]])
    const columns = ['name', 'cost_centre', 'personnel_number'] as const
    const text = payrollText(amounts([person(1)]), people, mapping({ header: false, columns: [...columns] }))
    const cells = text.split(/[,;\r\n\t]/)
    expect(
      cells.filter((cell) => /^["\s]*[=+\-@＝]/.test(cell)),
      name,
    ).toEqual([])
  }
})

test('[D31.2] differences and what was sent add up to the present amounts, gone ones are taken back', () => {
  const sum = (all: PayrollAmount[], wageType: string) =>
    all.filter((one) => one.wageType === wageType).reduce((total, { hundredths }) => total + hundredths, 0)
  const sent = amounts([person(1)])
  const later = amounts([person(1, { sheet: { ...sheet, absences: [], balance_out_ms: 60_000 } })])
  const differences = payrollDifferences(later, sent)
  for (const wageType of ['100', '300', '900']) {
    expect(sum([...sent, ...differences], wageType), wageType).toBe(sum(later, wageType))
  }
  expect(differences.map(({ wageType, hundredths }) => [wageType, hundredths])).toEqual([
    ['900', 200],
    ['300', -33],
  ])
  expect(payrollDifferences(later, [...sent, ...differences])).toEqual([])
  const other = { ...(later[0] as PayrollAmount), month: '2026-09' as Month }
  expect(payrollDifferences([other], [])).toEqual([other])
})

test('[D31.3] a sum without a mapping is named, and a person without a number or with a shared one', () => {
  const faults = (people: PayrollPerson[], of = mapping()) =>
    payrollObstacles(people, of).map(({ fault, user_id, detail }) => [fault, user_id, detail])
  expect(faults([person(1)])).toEqual([])
  expect(faults([person(1)], mapping({ rules: [] }))).toEqual([
    ['no_mapping', null, 'worked'],
    ['no_mapping', null, 'sick'],
  ])
  const earlier = { ...sheet, month: '2026-09' as Month, absences: [{ kind: 'unpaid' as const, days: 1, ms: HOUR_MS }] }
  expect(faults([person(1, { sheet: earlier }), person(1)])).toEqual([['no_mapping', null, 'unpaid']])
  const [none, one, another] = [{ personnelNumber: '' }, { personnelNumber: '7' }, { personnelNumber: '7' }]
  expect(faults([person(1, none), person(2, one), person(3, another)])).toEqual([
    ['no_number', 1, 'P1'],
    ['shared_number', 2, '7'],
    ['shared_number', 3, '7'],
  ])
  const windows = mapping({ encoding: 'windows-1252' })
  for (const text of ['name', 'costCentre', 'personnelNumber']) {
    expect(faults([person(1, { [text]: 'Ðurić' })], windows)).toEqual([['not_encodable', 1, 'Ðurić']])
  }
  expect(faults([person(1, { name: 'Zoë € „x“' })], windows)).toEqual([])
})
