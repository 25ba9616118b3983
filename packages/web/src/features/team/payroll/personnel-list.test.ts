import type { PersonnelRow, UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import { isChange, readPersonnel, unreadOfPersonnel } from './personnel-list.ts'

const lines = (...rows: string[][]) => rows.map((cells, index) => ({ row: index + 1, cells }))
const person = (user_id: number, name: string, email: string, more: Partial<PersonnelRow> = {}): PersonnelRow => {
  const empty = { number: '', cost_centre: '', entry_date: null, exit_date: null }
  return { user_id: user_id as UserNumber, name, email, ...empty, ...more }
}
const people = [
  person(1, 'Ada Lovelace', 'ada@example.org', { number: '7', exit_date: '2026-12-31' }),
  person(2, 'Grace Hopper', 'grace@example.org'),
  person(3, 'Grace Hopper', 'hopper@example.org'),
]
const read = (...rows: string[][]) => readPersonnel(lines(...rows), people, 'dmy')

test('[D31.1] personnel data come in bulk, and what a list leaves out stays', () => {
  const [ada, grace] =
    read(
      ['E-Mail', 'Personalnummer', 'Kostenstellennummer', 'Eintritt'],
      ['ADA@example.org', '', '4711', '1. Oktober 2020'],
      ['grace@example.org', '0042', '', ''],
    ) ?? []
  expect(ada?.input).toEqual({
    ...{ user_id: 1, number: '7', cost_centre: '4711' },
    ...{ entry_date: '2020-10-01', exit_date: '2026-12-31' },
  })
  expect(grace).toMatchObject({ row: 3, person: people[1], input: { number: '0042', entry_date: null } })
  expect([ada, grace].map((line) => line && isChange(line))).toEqual([true, true])
  const [same] = read(['Vorname', 'Nachname', 'Number'], ['Ada', 'Lovelace', '7']) ?? []
  expect(same && isChange(same)).toBe(false)
  // Somebody who left is shown with the address that they had, which is a colleague's now.
  const left = person(4, 'Augusta King', 'ada@example.org')
  const shared = readPersonnel(lines(['Mail', 'Number'], ['ada@example.org', '9']), [...people, left], 'dmy')
  expect(shared).toMatchObject([{ person: undefined, problem: 'several' }])
  const [reversed] = read(['Name', 'Vorname', 'Number'], ['Lovelace', 'Ada', '9']) ?? []
  expect(reversed).toMatchObject({ person: people[0], input: { number: '9' } })
  const [named] = read(['Name', 'Number'], ['Hopper@example.org', '9']) ?? []
  expect(named).toMatchObject({ person: people[2], input: { number: '9' } })
})

test('[D31.1] each line that cannot be kept is named with its problem', () => {
  const header = ['Name', 'Number', 'Entry', 'Exit']
  const problems = read(
    header,
    ...[
      ['Nobody', '1', '', ''],
      ['Grace Hopper', '1', '', ''],
      ['Ada Lovelace', '=1+1', '', ''],
      ['Ada Lovelace', '8', '', ''],
      ['', '', '', ''],
    ],
  )?.map(({ row, problem }) => [row, problem])
  expect(problems).toEqual([
    [2, 'nobody'],
    [3, 'several'],
    [4, 'number'],
    [5, 'twice'],
  ])
  const problemOf = (...cells: string[]) => read(header, ['Ada Lovelace', ...cells])?.[0]?.problem
  expect(problemOf('8', '31.02.2020', '')).toBe('entry_date')
  expect(problemOf('8', '', 'bald')).toBe('exit_date')
  // Nobody knows the year.
  expect(problemOf('8', '1.4.', '')).toBe('entry_date')
  expect(problemOf('8', '1.1.2027', '')).toBe('exitFirst')
})

test('[D31.1] names are compared by their letters, also with the last name first', () => {
  for (const name of ['ada  lovelace', 'Lovelace, Ada', 'A\u0064a Lovelace']) {
    expect(read(['Name', 'KSt'], [name, '12'])).toMatchObject([{ person: people[0], input: { cost_centre: '12' } }])
  }
  const umlaut = [person(1, 'Änne Müller', 'a@example.org')]
  const table = lines(['Nachname, Vorname', 'Pers.-Nr.'], ['Mu\u0308ller, A\u0308nne', '12'])
  expect(readPersonnel(table, umlaut, 'dmy')).toMatchObject([{ person: umlaut[0], input: { number: '12' } }])
})

test('[D31.1] signs and words for nothing are empty cells, and the columns that are not read are named', () => {
  for (const nothing of ['-', 'n/a', 'unbefristet', '31.12.9999', '9999-12-31']) {
    expect(read(['Name', 'Eintritt am', 'Austritt am'], ['Ada Lovelace', '1.2.2020', nothing])).toMatchObject([
      { problem: undefined, input: { entry_date: '2020-02-01', exit_date: '2026-12-31' } },
    ])
  }
  const header = ['Name', 'Personalnummer', 'Telefon', '', 'Eintritt Konzern']
  expect(unreadOfPersonnel(lines(header))).toEqual(['Telefon', 'Eintritt Konzern'])
})

test('[D31.1] a date of a list proves the order of day and month in all of them', () => {
  const entries = (...dates: string[]) => {
    const rows = dates.map((date, index) => [index === 0 ? 'Ada Lovelace' : 'grace@example.org', date])
    return readPersonnel(lines(['Name', 'Entry'], ...rows), people, 'mdy')?.map(({ input }) => input?.entry_date)
  }
  expect(entries('05/01/2026')).toEqual(['2026-05-01'])
  expect(entries('05/01/2026', '13/01/2026')).toEqual(['2026-01-05', '2026-01-13'])
})

test('[D31.1] a personnel number is read only from a column that names it', () => {
  const others = ['Telefonnummer', 'Hausnummer', 'Steuernummer', 'Sozialversicherungsnummer', 'Mobile number', 'Tax ID']
  for (const other of [...others, 'Kostenart', 'Vertragsende geplant', 'Weekend']) {
    expect(read(['E-Mail', other], ['ada@example.org', '12'])).toBeUndefined()
    const [line] = read(['E-Mail', other, 'Kostenstelle'], ['ada@example.org', '12', '4711']) ?? []
    expect(line?.input).toMatchObject({ number: '7', cost_centre: '4711' })
  }
  for (const own of [
    'Personalnummer',
    'Personal-Nr.',
    'Pers.-Nr.',
    'Mitarbeiternummer',
    'Employee ID',
    'Staff no.',
    'Nr.',
  ]) {
    const [line] = read(['Telefonnummer', 'E-Mail-Adresse', own], ['0301234', 'ada@example.org', '12']) ?? []
    expect(line?.input).toMatchObject({ number: '12' })
  }
  expect(read(['Adresse', 'Nr.'], ['Hauptstraße 1', '12'])).toBeUndefined()
})

test('[D31.1] a list without the names of its columns is not read', () => {
  expect(read(['ada@example.org', '7'])).toBeUndefined()
  expect(read(['Name', 'Telefon'], ['Ada Lovelace', '1'])).toBeUndefined()
  expect(read()).toBeUndefined()
})

test('[D31.1] the names of people are read once, whatever the number of lines', () => {
  let reads = 0
  const counted = people.map((one) => ({
    ...one,
    get name() {
      reads += 1
      return one.name
    },
  }))
  const rows = Array.from({ length: 100 }, () => ['Nobody', '1'])
  expect(readPersonnel(lines(['Name', 'Number'], ...rows), counted, 'dmy')).toHaveLength(100)
  expect(reads).toBe(people.length)
})
