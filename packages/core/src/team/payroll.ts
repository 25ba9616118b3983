import * as v from 'valibot'
import { absenceKinds } from '../choices.ts'
import { asPlainCell } from '../formula-text.ts'
import { itemAt } from '../list.ts'
import { DateText, InstantText, MonthText, textUpTo, UserNumberValue } from '../validation.ts'
import { type DurationMs, HOUR_MS, MINUTE_MS, type Month, type UserNumber } from '../values.ts'
import type { StoredSheet } from './stored-sheet.ts'

/** The sums of a stored sheet that payroll can take: figures of the month, and each kind of absence. */
export const payrollSums = ['worked', 'target', 'credited', 'delta', 'adjustments', 'balance', ...absenceKinds] as const
export type PayrollSum = (typeof payrollSums)[number]

/** The units of an amount: days and hours with two decimals, or whole minutes. */
export const payrollUnits = ['hours', 'minutes', 'days'] as const
export type PayrollUnit = (typeof payrollUnits)[number]

/** The columns of a payroll file. */
export const payrollColumns = [
  'personnel_number',
  'name',
  'month',
  'wage_type',
  'amount',
  'unit',
  'cost_centre',
] as const
export type PayrollColumn = (typeof payrollColumns)[number]

const CODE = /^[\p{L}\p{N}][\p{L}\p{N} ._/-]*$/u
/** A number or code in payroll, such as a personnel number: it begins with a letter or digit, so no formula (D31.3). */
export const PayrollCode = v.pipe(
  textUpTo(40),
  v.check((text) => CODE.test(text), 'must begin with a letter or digit, and have letters, digits, spaces and . _ / -'),
)

/** True if a text can be a personnel number, a cost centre or a wage type. */
export function isPayrollCode(text: string): boolean {
  return v.is(PayrollCode, text)
}

/** The rule for a sum: a wage type in a unit, or null to leave it out. */
export const PayrollRule = v.object({
  sum: v.picklist(payrollSums),
  wage_type: v.nullable(PayrollCode),
  unit: v.picklist(payrollUnits),
})
export type PayrollRule = v.InferOutput<typeof PayrollRule>

/** The form of a company's payroll file (D31.2). */
export const PayrollMapping = v.object({
  columns: v.pipe(
    v.array(v.picklist(payrollColumns)),
    v.minLength(1, 'must have a column'),
    v.check((columns) => new Set(columns).size === columns.length, 'must have each column once'),
  ),
  separator: v.picklist([';', ',', '\t'], 'must be a semicolon, a comma or a tab'),
  decimal_sign: v.picklist([',', '.'], 'must be a comma or a point'),
  encoding: v.picklist(['utf-8', 'windows-1252']),
  header: v.pipe(v.boolean(), v.metadata({ description: 'True if the first line has the names of the columns.' })),
  rules: v.pipe(
    v.array(PayrollRule),
    v.check((rules) => new Set(rules.map(({ sum }) => sum)).size === rules.length, 'must have each sum once'),
  ),
})
export type PayrollMapping = v.InferOutput<typeof PayrollMapping>

/** The mapping of a company that has chosen none: no wage type is guessed (D31.3). */
export const noMapping: PayrollMapping = {
  columns: ['personnel_number', 'name', 'month', 'wage_type', 'amount', 'unit'],
  separator: ';',
  decimal_sign: ',',
  encoding: 'utf-8',
  header: true,
  rules: [],
}

/** The part of a sheet that payroll takes: a sheet with its days has a hundred times as much. */
export type PayrollSheet = Pick<StoredSheet, 'month' | 'totals' | 'absences' | 'balance_out_ms' | 'check_code'>

/** Returns the part of a sheet that payroll takes. */
export function payrollSheet({ month, totals, absences, balance_out_ms, check_code }: StoredSheet): PayrollSheet {
  return { month, totals, absences, balance_out_ms, check_code }
}

/** A person in a payroll run, with a stored sheet, or the sheet that would be stored now in a draft. */
export interface PayrollPerson {
  user: UserNumber
  name: string
  personnelNumber: string
  costCentre: string
  sheet: PayrollSheet
}

/** The amount of a wage type, in hundredths of its unit: exact, so that differences add up. */
export interface PayrollAmount {
  user: UserNumber
  month: Month
  wageType: string
  unit: PayrollUnit
  hundredths: number
}

/** A reason why no file can be made, or none with this person (D31.3). */
export const payrollFaults = ['no_mapping', 'no_number', 'shared_number', 'not_encodable', 'not_locked'] as const
export const PayrollFault = v.object({
  fault: v.picklist(payrollFaults),
  user_id: v.nullable(UserNumberValue),
  detail: v.pipe(v.string(), v.metadata({ description: 'The sum, number or text that is meant.' })),
})
export type PayrollFault = v.InferOutput<typeof PayrollFault>

/** All that stands in the way of a file; HR settles or leaves out each (D31.3). */
export const PayrollCheck = v.object({ obstacles: v.array(PayrollFault) })
export type PayrollCheck = v.InferOutput<typeof PayrollCheck>

/** A payroll file that was made, with the SHA-256 of its bytes. */
export const PayrollFileRow = v.object({
  number: v.number(),
  month: MonthText,
  made_by: UserNumberValue,
  made_at: InstantText,
  digest: v.string(),
})
export type PayrollFileRow = v.InferOutput<typeof PayrollFileRow>

const personnel = {
  number: v.union([v.literal(''), PayrollCode]),
  cost_centre: v.union([v.literal(''), PayrollCode]),
  entry_date: v.nullable(DateText),
  exit_date: v.nullable(DateText),
}

/** The personnel data of somebody (D31.1); texts are empty if there is none. */
export const PersonnelRow = v.object({ user_id: UserNumberValue, name: v.string(), email: v.string(), ...personnel })
export type PersonnelRow = v.InferOutput<typeof PersonnelRow>

/**
 * Personnel data to keep. Not by the address, which can be another person's now: those who have left are shown with the
 * one that they had.
 */
export const PersonnelInput = v.object({
  user_id: UserNumberValue,
  number: v.optional(personnel.number, ''),
  cost_centre: v.optional(personnel.cost_centre, ''),
  entry_date: v.optional(personnel.entry_date, null),
  exit_date: v.optional(personnel.exit_date, null),
})
export type PersonnelInput = v.InferOutput<typeof PersonnelInput>

/** Returns what a sheet has of a sum, in milliseconds and in days. */
function sumOf({ totals, absences, balance_out_ms }: PayrollSheet, sum: PayrollSum): { ms: DurationMs; days: number } {
  switch (sum) {
    case 'worked':
      return { ms: totals.worked_ms, days: 0 }
    case 'target':
      return { ms: totals.target_ms, days: 0 }
    case 'credited':
      return { ms: totals.credited_ms, days: 0 }
    case 'delta':
      return { ms: totals.delta_ms, days: 0 }
    case 'adjustments':
      return { ms: totals.adjustments_ms, days: 0 }
    case 'balance':
      return { ms: balance_out_ms, days: 0 }
    default:
      return absences.find(({ kind }) => kind === sum) ?? { ms: 0, days: 0 }
  }
}

/** Returns an amount in hundredths of its unit. Minutes are whole, and hours of whole minutes exact within a minute. */
function hundredthsOf({ ms, days }: { ms: DurationMs; days: number }, unit: PayrollUnit): number {
  switch (unit) {
    case 'days':
      return Math.round(days * 100)
    case 'hours':
      return Math.round((ms / HOUR_MS) * 100)
    case 'minutes':
      return Math.round(ms / MINUTE_MS) * 100
  }
}

/** Returns the amounts of a person's sheet by the rules; none of zero, and none of a sum that is left out. */
export function payrollAmounts({ user, sheet }: PayrollPerson, { rules }: PayrollMapping): PayrollAmount[] {
  return rules.flatMap(({ sum, wage_type: wageType, unit }) => {
    if (wageType === null) return []
    const hundredths = hundredthsOf(sumOf(sheet, sum), unit)
    return hundredths === 0 ? [] : [{ user, month: sheet.month, wageType, unit, hundredths }]
  })
}

/**
 * Returns the amounts to send: those of now less those that were sent before, of which an amount that is gone is taken
 * back (D31.2). `sent` has all amounts of earlier files.
 */
export function payrollDifferences(now: readonly PayrollAmount[], sent: readonly PayrollAmount[]): PayrollAmount[] {
  const keyOf = ({ user, month, wageType, unit }: PayrollAmount) => JSON.stringify([month, user, wageType, unit])
  const taken = sent.map((amount) => ({ ...amount, hundredths: -amount.hundredths }))
  return [...Map.groupBy([...now, ...taken], keyOf).values()].flatMap((same) => {
    const hundredths = same.reduce((sum, amount) => sum + amount.hundredths, 0)
    return hundredths === 0 ? [] : [{ ...itemAt(same, 0), hundredths }]
  })
}

/**
 * Returns all that stands in the way of a file (D31.3): nothing is guessed, and nothing left out unasked. `sheets` has
 * each person once for each of their sheets.
 */
export function payrollObstacles(sheets: readonly PayrollPerson[], mapping: PayrollMapping): PayrollFault[] {
  const mapped = new Set(mapping.rules.map(({ sum }) => sum))
  const unmapped = payrollSums.filter(
    (sum) => isOfAbsence(sum) && !mapped.has(sum) && sheets.some(({ sheet }) => sumOf(sheet, sum).ms !== 0),
  )
  const people = [...new Map(sheets.map((person) => [person.user, person])).values()]
  const byNumber = Map.groupBy(people, ({ personnelNumber }) => personnelNumber)
  return [
    ...(mapping.rules.some(({ wage_type }) => wage_type !== null) ? [] : [fault('no_mapping', null, 'worked')]),
    ...unmapped.map((sum) => fault('no_mapping', null, sum)),
    ...people.flatMap(({ user, personnelNumber, name }): PayrollFault[] => {
      if (personnelNumber === '') return [fault('no_number', user, name)]
      return (byNumber.get(personnelNumber)?.length ?? 0) > 1 ? [fault('shared_number', user, personnelNumber)] : []
    }),
    ...people.flatMap((person): PayrollFault[] => {
      const texts = [person.name, person.personnelNumber, person.costCentre]
      const bad = texts.find((text) => !isEncodable(text, mapping.encoding))
      return bad === undefined ? [] : [fault('not_encodable', person.user, bad)]
    }),
  ]
}

function fault(kind: PayrollFault['fault'], user_id: UserNumber | null, detail: string): PayrollFault {
  return { fault: kind, user_id, detail }
}

function isOfAbsence(sum: PayrollSum): boolean {
  return absenceKinds.some((kind) => kind === sum)
}

/** Returns the text of a payroll file, by the month, the personnel number and the wage type. */
export function payrollText(
  amounts: readonly PayrollAmount[],
  people: ReadonlyMap<UserNumber, Pick<PayrollPerson, 'name' | 'personnelNumber' | 'costCentre'>>,
  mapping: PayrollMapping,
): string {
  const rows = amounts.map((amount) => {
    const person = people.get(amount.user)
    if (!person) throw new Error('an amount of nobody')
    return {
      personnel_number: person.personnelNumber,
      name: person.name,
      month: amount.month,
      wage_type: amount.wageType,
      amount: amountText(amount, mapping.decimal_sign),
      unit: amount.unit,
      cost_centre: person.costCentre,
    } satisfies Record<PayrollColumn, string>
  })
  const keyOf = (row: (typeof rows)[number]) => `${row.month} ${row.personnel_number} ${row.wage_type}`
  const inOrder = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const lines = inOrder.map((row) => mapping.columns.map((column) => cellOf(row[column], column, mapping.separator)))
  const header = mapping.header ? [mapping.columns.map(String)] : []
  return [...header, ...lines].map((cells) => `${cells.join(mapping.separator)}\r\n`).join('')
}

/** Returns an amount with two decimals, of minutes without; the sign of a difference is a minus before digits alone. */
function amountText({ hundredths, unit }: PayrollAmount, decimalSign: PayrollMapping['decimal_sign']): string {
  if (unit === 'minutes') return String(hundredths / 100)
  const digits = String(Math.abs(hundredths)).padStart(3, '0')
  return `${hundredths < 0 ? '-' : ''}${digits.slice(0, -2)}${decimalSign}${digits.slice(-2)}`
}

function cellOf(text: string, column: PayrollColumn, separator: PayrollMapping['separator']): string {
  const cell = column === 'amount' ? text : asPlainCell(text)
  return cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** The characters of Windows-1252 from 0x80 to 0x9F; the others up to 0xFF are those of Unicode. */
const WINDOWS_1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'

function isEncodable(text: string, encoding: PayrollMapping['encoding']): boolean {
  return encoding === 'utf-8' || [...text].every((character) => windowsByte(character) !== undefined)
}

/** Returns the byte of a character in Windows-1252; undefined if it has none. */
export function windowsByte(character: string): number | undefined {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return code
  const at = WINDOWS_1252.indexOf(character)
  return at < 0 ? undefined : 0x80 + at
}

/** A request for a payroll file (D31.2). */
export const PayrollRun = v.object({
  month: MonthText,
  draft: v.optional(
    v.pipe(v.boolean(), v.metadata({ description: 'True to take open months too; nothing counts as sent.' })),
    false,
  ),
  leave_out: v.optional(
    v.pipe(v.array(UserNumberValue), v.metadata({ description: 'Users who are left out of this file on purpose.' })),
    [],
  ),
})
export type PayrollRun = v.InferOutput<typeof PayrollRun>
