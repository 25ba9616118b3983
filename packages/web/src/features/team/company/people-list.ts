import type { GroupRow, ItemResult, LocalDate, MemberRow, PersonInput } from '@saldo/core'

/** A person as a list names them. */
export interface ListedPerson {
  /** The number of the line. */
  row: number
  email: string
  name: string
  /** The name of a group; empty if the list has none. */
  group: string
}

interface Line {
  row: number
  cells: readonly string[]
}

const isAddress = (text: string) => /^[^\s@<>]+@[^\s@<>]+$/.test(text.trim())
/** `Ada Lovelace <ada@example.org>`, as mail programs write it. */
const NAMED = /^(?:"([^"<>]*)"\s*|([^"<>]*))<([^<>\s@]+@[^<>\s@]+)>$/

/** The names of columns, in English and German. */
const columnNames = {
  email: /^e-?mail|^mail|adresse|^address/i,
  first: /^(first|vorname|given)/i,
  last: /^(last|nachname|familienname|surname|family)/i,
  name: /^(full |display )?name$|^mitarbeiter|^employee|^person/i,
  group: /^(group|gruppe|team|abteilung|department)/i,
} as const

/**
 * Reads the people of a table or of a pasted list: lines with an address, and perhaps a name and a group, or with names
 * and addresses as mail programs write them. A first line without an address names the columns.
 */
export function readPeople(lines: readonly Line[]): ListedPerson[] {
  const [first, ...others] = lines
  if (!first) return []
  const hasHeader = !first.cells.some((cell) => isAddress(cell) || NAMED.test(cell.trim()))
  const header = hasHeader ? first.cells : []
  return (hasHeader ? others : lines).flatMap((line) => peopleOf(line, header))
}

function peopleOf({ row, cells }: Line, header: readonly string[]): ListedPerson[] {
  const named = cells.flatMap((cell) => {
    const [, quoted, plain = '', email] = NAMED.exec(cell.trim()) ?? []
    return email === undefined ? [] : [{ row, email, name: (quoted ?? plain).trim(), group: '' }]
  })
  if (named.length > 0) return named
  const addresses = cells.filter(isAddress)
  // Several addresses in a line are a list of them.
  if (addresses.length > 1) return addresses.map((email) => ({ row, email: email.trim(), name: '', group: '' }))
  const cell = (column: keyof typeof columnNames) =>
    cells[header.findIndex((name) => columnNames[column].test(name.trim()))]?.trim() ?? ''
  const own = [cell('first'), cell('last')].filter(Boolean).join(' ')
  const free = header.length > 0 ? '' : cells.filter((text) => text.trim() !== '' && !isAddress(text)).join(' ')
  const email = addresses[0]?.trim() ?? cell('email')
  return [
    {
      row,
      email: email === '' ? cells.join(' ').trim() : email,
      name: own || cell('name') || free.trim(),
      group: cell('group'),
    },
  ]
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
  return people.map((person) => {
    const email = person.email.toLowerCase()
    const group = person.group === '' ? groupId : groupOf(groups, person.group)?.id
    const key = `${email} ${group}`
    const isTwice = seen.has(key)
    seen.add(key)
    const problem = !isAddress(email) ? 'address' : group === undefined ? 'group' : isTwice ? 'twice' : undefined
    const input =
      problem || group === undefined ? undefined : { email, name: person.name, group_id: group, from, until: null }
    return { person, input, problem }
  })
}

function groupOf(groups: readonly GroupRow[], name: string): GroupRow | undefined {
  return groups.find((group) => group.name.toLowerCase() === name.toLowerCase())
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
