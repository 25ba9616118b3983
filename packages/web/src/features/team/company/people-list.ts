import type { GroupRow, ItemResult, LocalDate, MemberRow, PersonInput } from '@saldo/core'
import { comparedName, findColumns, nameIn, personColumns, unreadColumns } from '../list-columns.ts'
import { listLines } from '../list-text.ts'

/** A person as a list names them. */
export interface ListedPerson {
  /** The number of the line. */
  row: number
  email: string
  name: string
  /** The name of a group; empty if the list has none. */
  group: string
}

const isAddress = (text: string) => /^[^\s@<>]+@[^\s@<>]+$/.test(text.trim())

/** The names of columns, in English and German. */
const columnNames = {
  ...personColumns,
  group: /^(group|gruppe|team|abteilung|abt\.?|bereich|department|org(anisational)? unit)([ -]?name)?$/i,
} as const

/** Returns the columns of a list that nobody is read from; none if its first line does not name its columns. */
export function unreadColumnsOf(text: string): string[] {
  const [header, ...lines] = listLines(text) ?? []
  const columns = findColumns(header?.cells ?? [], columnNames)
  if (!header || columns.size === 0 || addressesIn(header.cells.join(' ')).length > 0) return []
  const hasAddress = (place: number) => lines.some(({ cells }) => addressesIn(cells[place] ?? '').length > 0)
  const read = new Map<string, number>(columns)
  // Without a column of addresses, they are read wherever they are.
  if (!columns.has('email'))
    read.set(
      'email',
      header.cells.findIndex((_, place) => hasAddress(place)),
    )
  return unreadColumns(header.cells, read)
}

/**
 * Reads the people of a table whose first line names its columns, or of a pasted list: lines with an address, and
 * perhaps a name and a group, or with names and addresses as mail programs write them. `undefined` if it is too large.
 */
export function readPeople(text: string): ListedPerson[] | undefined {
  const lines = listLines(text)
  const [header] = lines ?? []
  if (!lines || !header) return lines && []
  const columns = findColumns(header.cells, columnNames)
  const isTable = columns.size > 0 && addressesIn(header.cells.join(' ')).length === 0
  if (isTable) return lines.slice(1).map((line) => personOf(line, columns))
  return text.split(/\r\n?|\n/).flatMap((line, index) => peopleIn(line, index + 1))
}

/** Returns the person of a line of a table; one without an address is shown with all that the line says. */
function personOf(
  { row, cells }: { row: number; cells: readonly string[] },
  columns: ReadonlyMap<keyof typeof columnNames, number>,
): ListedPerson {
  const cell = (column: keyof typeof columnNames) => cells[columns.get(column) ?? -1]?.trim() ?? ''
  const text = columns.has('email') ? cell('email') : cells.join(' ').trim()
  const email = addressesIn(text)[0]?.email ?? (text || cells.join(' ').trim())
  return { row, email, name: nameIn(cell), group: cell('group') }
}

/**
 * Returns the people of a line of a pasted list. Several addresses have the names before their angle brackets; one
 * alone has the texts around it as name and group.
 */
function peopleIn(line: string, row: number): ListedPerson[] {
  const text = line.trim().replace(LEADS, '')
  const found = addressesIn(text)
  if (text !== '' && found.length === 0) return [{ row, email: text, name: '', group: '' }]
  let end = 0
  return found.map(({ email, from, to, isNamed }) => {
    const before = piecesOf(text.slice(end, from)).join(isNamed ? ', ' : ' ')
    end = to
    if (found.length > 1) return { row, email, name: isNamed ? before : '', group: '' }
    const [name = '', ...group] = [before, ...piecesOf(text.slice(end))].filter(Boolean)
    return { row, email, name, group: group.join(' ') }
  })
}

/** Marks of lists, and the words of mail programs before addresses. */
const LEADS = /^(?:(?:[•◦▪‣·*–-]|\d{1,3}[.)])\s+)?(?:(?:to|cc|bcc|from|an|von|kopie|blindkopie)\s*:\s*)?/i

/** The longest text before an address that belongs to it. */
const OPENING = '<mailto:'

/** Returns the addresses of a text with their places; programs write them in brackets behind names. */
function addressesIn(text: string): { email: string; from: number; to: number; isNamed: boolean }[] {
  return [...text.matchAll(/[^\s<>,;:|"()]+/g)].flatMap(({ 0: word, index }) => {
    // An address at the end of a sentence.
    const email = /[.!?]$/.test(word) ? word.slice(0, -1) : word
    if (!isAddress(email)) return []
    const before = text.slice(Math.max(0, index - OPENING.length), index)
    const opening = /[<(]?(?:mailto:)?$/i.exec(before)?.[0] ?? ''
    const end = index + word.length
    const to = ['>', ')'].includes(text[end] ?? '') ? end + 1 : end
    return [{ email, from: index - opening.length, to, isNamed: /^[<(]/.test(opening) }]
  })
}

/** Returns the pieces of a text that say something, without the marks between a name and an address. */
function piecesOf(text: string): string[] {
  return text
    .split(/[,;|\t"]/)
    .map(withoutMarks)
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece))
}

function withoutMarks(piece: string): string {
  const text = piece.trim()
  const begun = /^[-–—:]\s/.test(text) ? text.slice(1).trimStart() : text
  return /(?:[–—:]|\s-)$/.test(begun) ? begun.slice(0, -1).trimEnd() : begun
}

/** Where people go for whom the list names no group. */
export interface ListTarget {
  groups: readonly GroupRow[]
  groupId: number
  from: LocalDate
}

/** A line of the preview. `problem` says why it cannot be asked for; `result` what the service says. */
export interface PreviewLine {
  person: ListedPerson
  input: PersonInput | undefined
  problem: 'address' | 'group' | 'twice' | undefined
  result?: ItemResult
}

/** Returns the lines of a preview: people as they would be added, and what is wrong with the others. */
export function previewLines(people: readonly ListedPerson[], { groups, groupId, from }: ListTarget): PreviewLine[] {
  const seen = new Set<string>()
  const groupsByName = Map.groupBy(groups, ({ name }) => comparedName(name))
  return people.map((person) => {
    const email = person.email.toLowerCase()
    const group = person.group === '' ? groupId : groupsByName.get(comparedName(person.group))?.[0]?.id
    const key = `${email} ${group}`
    const isTwice = seen.has(key)
    seen.add(key)
    const problem = !isAddress(email) ? 'address' : group === undefined ? 'group' : isTwice ? 'twice' : undefined
    const input =
      problem || group === undefined ? undefined : { email, name: person.name, group_id: group, from, until: null }
    return { person, input, problem }
  })
}

/** Returns the lines with the service's results, which are in the order of the inputs. */
export function withResults(lines: readonly PreviewLine[], results: readonly ItemResult[]): PreviewLine[] {
  let next = 0
  return lines.map((line) => {
    if (!line.input) return line
    const result = results[next]
    next += 1
    return result ? { ...line, result } : line
  })
}

/** True if a line is to be shown after the act: it was rejected, or has a link to pass on. */
export function isToShow(line: PreviewLine): boolean {
  return isRejected(line) || line.result?.link !== undefined
}

/** Returns lines of people who were invited again, with the service's results, which are in their order. */
export function linesOfInvited(
  people: readonly Pick<MemberRow, 'name' | 'email'>[],
  results: readonly ItemResult[],
): PreviewLine[] {
  return people.flatMap(({ name, email }, index) => {
    const result = results[index]
    const person = { row: index + 1, name, email, group: '' }
    return result ? { person, input: undefined, problem: undefined, result } : []
  })
}

/** True if a line would add or change nobody. */
export function isRejected({ problem, result }: PreviewLine): boolean {
  return problem !== undefined || result?.outcome === 'rejected'
}
