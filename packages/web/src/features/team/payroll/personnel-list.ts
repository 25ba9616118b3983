import { findDateOrder } from '@saldo/client/import'
import { type DateOrder, readFullDate } from '@saldo/client/reading'
import { isPayrollCode, type LocalDate, type PersonnelInput, type PersonnelRow, type UserNumber } from '@saldo/core'
import { comparedName, findColumns, nameIn, personColumns, unreadColumns } from '../list-columns.ts'

interface Line {
  row: number
  cells: readonly string[]
}

/** The reason why a line cannot be kept: nobody or several people have its name, or a value cannot be read. */
export type PersonnelProblem =
  | 'nobody'
  | 'several'
  | 'twice'
  | 'number'
  | 'cost_centre'
  | 'entry_date'
  | 'exit_date'
  | 'exitFirst'

/** A line of a list of personnel data: the person whom it names, with what they then have, or what is wrong with it. */
export interface PersonnelLine {
  row: number
  /** The name or address as the list has it. */
  named: string
  person: PersonnelRow | undefined
  input: PersonnelInput | undefined
  problem: PersonnelProblem | undefined
}

/**
 * The names of columns, in English and German. A number counts as the personnel number only if its column says whose it
 * is or names nothing else: lists have numbers of telephones, houses, insurances and tax too.
 */
const columnNames = {
  ...personColumns,
  number: /^(pers\.?|personal|personnel|mitarbeiter|employee|staff|payroll)?[ -]?(nummer|number|nr\.?|no\.?|id)$/i,
  cost_centre: /^(kostenstelle(nnummer)?|kst\.?|cost[ -]?cent(re|er))([ -]?(nummer|number|nr\.?|no\.?|id))?$/i,
  entry_date: /^(eintritt(s?[ -]?datum| am)?|(entry|start|hire)([ -]?date)?|date of (entry|joining)|joined( on)?)$/i,
  exit_date:
    /^(austritt(s?[ -]?datum| am)?|(exit|end|termination|leaving)([ -]?date)?|date of (exit|leaving)|left( on)?)$/i,
} as const
type Column = keyof typeof columnNames

/**
 * Reads personnel data from a table whose first line names its columns; `undefined` if that names no person or nothing
 * about them. What the list leaves out, or leaves empty, stays as it is. Its dates are in the order that they prove,
 * else in `usualOrder`.
 */
export function readPersonnel(
  [header, ...lines]: readonly Line[],
  people: readonly PersonnelRow[],
  usualOrder: DateOrder,
): PersonnelLine[] | undefined {
  const columns = findColumns(header?.cells ?? [], columnNames)
  const names: Column[] = ['email', 'name', 'last']
  const values: Column[] = ['number', 'cost_centre', 'entry_date', 'exit_date']
  if (!names.some((name) => columns.has(name)) || !values.some((name) => columns.has(name))) return undefined
  const cellsOf = (cells: Line['cells']) => (column: Column) => {
    const text = cells[columns.get(column) ?? -1]?.trim() ?? ''
    return NOTHING.test(text) ? '' : text
  }
  const dates = lines.flatMap(({ cells }) => (['entry_date', 'exit_date'] as const).map(cellsOf(cells)))
  const proven = findDateOrder(dates)
  const order = proven === undefined || proven === 'none' ? usualOrder : proven
  const seen = new Set<UserNumber>()
  const known = { byName: peopleBy(people, ({ name }) => comparedName(name)), byEmail: peopleBy(people, emailOf) }
  return lines
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
    .map(({ row, cells }) => {
      const cell = cellsOf(cells)
      const line = lineOf(cell, known, order)
      const isTwice = line.person !== undefined && seen.has(line.person.user_id)
      if (line.person) seen.add(line.person.user_id)
      return isTwice ? { ...line, row, input: undefined, problem: 'twice' } : { ...line, row }
    })
}

/** Returns the names of the columns of which nothing is read. */
export function unreadOfPersonnel([header]: readonly Line[]): string[] {
  return unreadColumns(header?.cells ?? [], findColumns(header?.cells ?? [], columnNames))
}

/** Signs and words of a cell that holds nothing, and the last day of those who stay: 31.12.9999. */
const NOTHING = /^(?:[-–—.?*/]+|n\/?a|unbefristet|offen|open|permanent|\d\d?[./]\d\d?[./]9999|9999-\d\d-\d\d)$/i

/** The people of a company, whom each line looks up. */
interface KnownPeople {
  byName: ReadonlyMap<string, readonly PersonnelRow[]>
  byEmail: ReadonlyMap<string, readonly PersonnelRow[]>
}

const emailOf = ({ email }: PersonnelRow) => email.toLowerCase()
const peopleBy = (people: readonly PersonnelRow[], keyOf: (person: PersonnelRow) => string) =>
  Map.groupBy(people, keyOf)

function lineOf(cell: (column: Column) => string, known: KnownPeople, order: DateOrder): Omit<PersonnelLine, 'row'> {
  const name = nameIn(cell)
  const email = (cell('email') || (name.includes('@') ? name : '')).toLowerCase()
  const [, last, first] = /^([^,]+),([^,]+)$/.exec(name) ?? []
  const names = new Set([name, ...(first && last ? [`${first} ${last}`] : [])].map(comparedName))
  const found =
    email === '' ? [...names].flatMap((each) => known.byName.get(each) ?? []) : (known.byEmail.get(email) ?? [])
  const [person, other] = found
  const named = name || email
  if (!person) return { named, person, input: undefined, problem: 'nobody' }
  if (other) return { named, person: undefined, input: undefined, problem: 'several' }
  const read = { entry_date: dateIn(cell('entry_date'), order), exit_date: dateIn(cell('exit_date'), order) }
  const input: PersonnelInput = {
    user_id: person.user_id,
    number: cell('number') || person.number,
    cost_centre: cell('cost_centre') || person.cost_centre,
    entry_date: read.entry_date || person.entry_date,
    exit_date: read.exit_date || person.exit_date,
  }
  const problem = problemOf(input, read)
  return { named, person, input: problem ? undefined : input, problem }
}

/** Returns the date of a cell: null for an empty one, `undefined` for one that is no date with its year. */
function dateIn(text: string, order: DateOrder): LocalDate | null | undefined {
  return text === '' ? null : readFullDate(text, order)
}

function problemOf(
  { number, cost_centre, entry_date, exit_date }: PersonnelInput,
  read: Record<'entry_date' | 'exit_date', LocalDate | null | undefined>,
): PersonnelProblem | undefined {
  if (number !== '' && !isPayrollCode(number)) return 'number'
  if (cost_centre !== '' && !isPayrollCode(cost_centre)) return 'cost_centre'
  if (read.entry_date === undefined) return 'entry_date'
  if (read.exit_date === undefined) return 'exit_date'
  return entry_date !== null && exit_date !== null && exit_date < entry_date ? 'exitFirst' : undefined
}

/** True if a line would change what is kept of its person. */
export function isChange({ person, input }: PersonnelLine): boolean {
  if (!person || !input) return false
  return (['number', 'cost_centre', 'entry_date', 'exit_date'] as const).some((field) => person[field] !== input[field])
}
