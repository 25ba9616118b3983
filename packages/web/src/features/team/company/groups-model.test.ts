import type { GroupRow } from '@saldo/core'
import { expect, test } from 'vitest'
import { possibleParents, treeOf } from './groups-model.ts'

const group = (id: number, parent_id: number | null, name: string) => ({ id, parent_id, name }) as GroupRow
const company = group(1, null, 'Acme')
const [sales, shop, north] = [group(2, 1, 'Sales'), group(3, 1, 'Shop'), group(4, 3, 'North')]
const { compare } = new Intl.Collator('en')
const byName = (a: GroupRow, b: GroupRow) => compare(a.name, b.name)
const groups = [north, shop, sales, company]

test('groups are shown below their parents, by name', () => {
  expect(treeOf(groups, byName).map(({ group: { name }, level }) => [name, level])).toEqual([
    ['Acme', 0],
    ['Sales', 1],
    ['Shop', 1],
    ['North', 2],
  ])
})

test('[D24.2] a group can be moved below others, but not below itself, nor deeper than eight levels', () => {
  const names = (all: readonly GroupRow[], moved?: GroupRow) =>
    possibleParents(all, moved, byName).map((each) => each.group.name)
  expect(names(groups, shop)).toEqual(['Acme', 'Sales'])
  expect(names(groups)).toEqual(['Acme', 'Sales', 'Shop', 'North'])
  const chain = Array.from({ length: 7 }, (_, index) => group(10 + index, index === 0 ? 1 : 9 + index, `g${index}`))
  expect(names([...groups, ...chain])).not.toContain('g6')
  expect(names([...groups, ...chain], shop)).not.toContain('g5')
  expect(names([...groups, ...chain], sales)).toContain('g5')
})
