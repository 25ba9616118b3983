import type { GroupRow } from '@saldo/core'
import { expect, test } from 'vitest'
import { isRejected, isToShow, linesOfInvited, previewLines, readPeople, withResults } from './people-list.ts'

const lines = (...rows: string[][]) => rows.map((cells, index) => ({ row: index + 1, cells }))
const group = (id: number, name: string) => ({ id, name }) as GroupRow
const target = { groups: [group(1, 'Acme'), group(2, 'Sales')], groupId: 1, from: '2026-12-01' } as const

test('a table names its columns in English or German', () => {
  const english = lines(['Name', 'E-mail', 'Team'], ['Ada Lovelace', 'ada@example.org', 'Sales'])
  expect(readPeople(english)).toEqual([{ row: 2, email: 'ada@example.org', name: 'Ada Lovelace', group: 'Sales' }])
  const german = lines(['Vorname', 'Nachname', 'Mail'], ['Grace', 'Hopper', 'grace@example.org'])
  expect(readPeople(german)).toEqual([{ row: 2, email: 'grace@example.org', name: 'Grace Hopper', group: '' }])
})

test('a pasted list has addresses, with names or without', () => {
  expect(readPeople(lines(['ada@example.org'], ['Grace Hopper', 'grace@example.org']))).toEqual([
    { row: 1, email: 'ada@example.org', name: '', group: '' },
    { row: 2, email: 'grace@example.org', name: 'Grace Hopper', group: '' },
  ])
  expect(readPeople(lines(['Ada Lovelace <ada@example.org>', '"Hopper, Grace" <grace@example.org>']))).toMatchObject([
    { email: 'ada@example.org', name: 'Ada Lovelace' },
    { email: 'grace@example.org', name: 'Hopper, Grace' },
  ])
  for (const odd of ['Ada <ada@example.org', 'Ada <ada>', 'Ada <a <ada@example.org>'])
    expect(readPeople(lines([odd]))).toEqual([])
  expect(readPeople(lines(['a@example.org', 'b@example.org'])).map(({ email }) => email)).toHaveLength(2)
  expect(readPeople([])).toEqual([])
})

test('a line without an address, of an unknown group or of somebody named before is not asked for', () => {
  const people = readPeople(
    lines(
      ['Name', 'Mail', 'Group'],
      ['Ada', 'ada@example.org', 'sales'],
      ['Grace', 'grace', ''],
      ['Linus', 'linus@example.org', 'Nowhere'],
      ['Ada', 'ADA@example.org', 'Sales'],
      ['Ada', 'ada@example.org', ''],
    ),
  )
  const preview = previewLines(people, target)
  expect(preview.map(({ problem }) => problem)).toEqual([undefined, 'address', 'group', 'twice', undefined])
  expect(preview[0]?.input).toEqual({
    email: 'ada@example.org',
    name: 'Ada',
    group_id: 2,
    from: '2026-12-01',
    until: null,
  })
})

test('results belong to the lines that were asked for', () => {
  const preview = previewLines(readPeople(lines(['a@example.org'], ['x'], ['b@example.org'])), target)
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
