import type { GroupRow } from '@saldo/core'
import { expect, test } from 'vitest'
import {
  isRejected,
  isToShow,
  linesOfInvited,
  previewLines,
  readPeople,
  unreadColumnsOf,
  withResults,
} from './people-list.ts'

const listed = (text: string) =>
  readPeople(text)?.map(({ row, email, name, group }) => `${row} ${[email, name, group].join('|')}`)
const group = (id: number, name: string) => ({ id, name }) as GroupRow
const target = { groups: [group(1, 'Acme'), group(2, 'Sales')], groupId: 1, from: '2026-12-01' } as const

test.each([
  ['Name,E-mail,Team\nAda Lovelace,ada@example.org,Sales', ['2 ada@example.org|Ada Lovelace|Sales']],
  ['Vorname;Nachname;Mail\nGrace;Hopper;mailto:grace@example.org', ['2 grace@example.org|Grace Hopper|']],
  ['Name;Vorname;E-Mail\nHopper;Grace;grace@example.org', ['2 grace@example.org|Grace Hopper|']],
  ['Mitarbeiternummer;Name;E-Mail\n1001;Ada;ada@example.org', ['2 ada@example.org|Ada|']],
  ['Chef-Mail;E-Mail;Teamleiter\nboss@example.org;ada@example.org;Ben', ['2 ada@example.org||']],
  ['Name;Kontakt\nAda;ada@example.org', ['2 ada@example.org|Ada|']],
])('a table names its columns in English or German: %j', (text, people) => {
  expect(listed(text)).toEqual(people)
})

test.each([
  ['ada@example.org\n\nGrace Hopper; grace@example.org', ['1 ada@example.org||', '3 grace@example.org|Grace Hopper|']],
  ['ada@example.org, Ada, Sales', ['1 ada@example.org|Ada|Sales']],
  ['Grace\tHopper\tgrace@example.org\tSales', ['1 grace@example.org|Grace Hopper|Sales']],
  [
    'Ada Lovelace <ada@example.org>, "Hopper, Grace" <grace@example.org>',
    ['1 ada@example.org|Ada Lovelace|', '1 grace@example.org|Hopper, Grace|'],
  ],
  [
    'Lovelace, Ada <ada@example.org>; Hopper, Grace <grace@example.org>',
    ['1 ada@example.org|Lovelace, Ada|', '1 grace@example.org|Hopper, Grace|'],
  ],
  [
    'Ada Lovelace ada@example.org\nGrace grace@example.org',
    ['1 ada@example.org|Ada Lovelace|', '2 grace@example.org|Grace|'],
  ],
  ['a@example.org b@example.org', ['1 a@example.org||', '1 b@example.org||']],
  ['Ada <ada>\nGrace <grace@example.org', ['1 Ada <ada>||', '2 grace@example.org|Grace|']],
  ['Ada (ada@example.org), Grace (grace@example.org)', ['1 ada@example.org|Ada|', '1 grace@example.org|Grace|']],
  ['An: Ada <ada@example.org>\nCc: grace@example.org', ['1 ada@example.org|Ada|', '2 grace@example.org||']],
  ['• ada@example.org\n2) Grace <grace@example.org>', ['1 ada@example.org||', '2 grace@example.org|Grace|']],
  ['Ada – ada@example.org.\nGrace: grace@example.org', ['1 ada@example.org|Ada|', '2 grace@example.org|Grace|']],
  ['', []],
])('a pasted list has addresses, with names or without: %j', (text, people) => {
  expect(listed(text)).toEqual(people)
})

test('the columns that nothing is read from are named', () => {
  expect(unreadColumnsOf('Name;Kontakt;Standort;Bereich\nAda;ada@example.org;Berlin;Sales')).toEqual(['Standort'])
  expect(unreadColumnsOf('E-mail;Name;Phone;\nada@example.org;Ada;1;')).toEqual(['Phone'])
  expect(unreadColumnsOf('ada@example.org;Ada;Sales')).toEqual([])
})

test('a line without an address, of an unknown group or of somebody named before is not asked for', () => {
  const people = [
    'Name;Mail;Group',
    'Ada;ada@example.org;sales',
    'Grace;grace;',
    'Linus;linus@example.org;Nowhere',
    'Ada;ADA@example.org;Sales',
    'Ada;ada@example.org;',
  ]
  const preview = previewLines(readPeople(people.join('\n')) ?? [], target)
  expect(preview.map(({ problem }) => problem)).toEqual([undefined, 'address', 'group', 'twice', undefined])
  expect(preview[0]?.input).toEqual({
    email: 'ada@example.org',
    name: 'Ada',
    group_id: 2,
    from: '2026-12-01',
    until: null,
  })
})

test('the names of groups are read once, whatever the number of lines', () => {
  let reads = 0
  const groups = target.groups.map((one) => ({
    ...one,
    get name() {
      reads += 1
      return one.name
    },
  }))
  const text = `E-mail,Team\n${'a@example.org,Unknown\n'.repeat(100)}`
  expect(previewLines(readPeople(text) ?? [], { ...target, groups })).toHaveLength(100)
  expect(reads).toBe(groups.length)
})

test('results belong to the lines that were asked for', () => {
  const preview = previewLines(readPeople('a@example.org\nx\nb@example.org') ?? [], target)
  const results = [
    { outcome: 'invited', id: 1 },
    { outcome: 'rejected', id: null, detail: 'is in another company' },
  ] as const
  const shown = withResults(preview, results)
  expect(shown.map(({ result }) => result?.outcome)).toEqual(['invited', undefined, 'rejected'])
  expect(shown.map(isRejected)).toEqual([false, true, true])
})

test('whoever is invited again is shown with the link that was not mailed, or the reason', () => {
  const people = ['ada', 'grace', 'linus'].map((name) => ({ name, email: `${name}@example.org` }))
  const shown = linesOfInvited(people, [
    { outcome: 'invited', id: 1, link: '/link#secret' },
    { outcome: 'invited', id: 2 },
    { outcome: 'rejected', id: 3, detail: 'too often' },
  ])
  expect(shown.map(({ person }) => person.email)).toEqual(people.map(({ email }) => email))
  expect(shown.map(isToShow)).toEqual([true, false, true])
})
