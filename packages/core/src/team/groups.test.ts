import { expect, test } from 'vitest'
import { type Group, isWithin, MAX_GROUP_LEVELS, moveGroup, pathBelow } from './groups.ts'

const group = (id: number, parent: Group | null): Group => ({
  id,
  parentId: parent?.id ?? null,
  path: pathBelow(parent?.path ?? null, id),
  name: `group ${id}`,
  seesMembers: true,
  leastPresent: null,
})

const company = group(1, null)
const north = group(2, company)
const shop = group(3, north)
const south = group(4, company)
const all = [company, north, shop, south]

test('[D24.2] a group moves with all groups below it', () => {
  expect(moveGroup(all, north, south)).toEqual({
    outcome: 'moved',
    paths: [
      { id: 2, path: '/1/4/2/' },
      { id: 3, path: '/1/4/2/3/' },
    ],
  })
})

test('[D24.2] a group cannot be moved below itself, nor into another company, and a company not at all', () => {
  expect(moveGroup(all, north, north)).toEqual({ outcome: 'cycle' })
  expect(moveGroup(all, north, shop)).toEqual({ outcome: 'cycle' })
  expect(moveGroup(all, north, group(9, null))).toEqual({ outcome: 'other_company' })
  expect(moveGroup(all, company, north)).toEqual({ outcome: 'is_company' })
})

test('[D24.2] a move that would make more than eight levels is refused, whichever group would be too deep', () => {
  const chain = [group(10, company)]
  while (chain.length < MAX_GROUP_LEVELS - 1) chain.push(group(10 + chain.length, chain.at(-1) as Group))
  const deepest = chain.at(-1) as Group
  const groups = [...all, ...chain]
  expect(moveGroup(groups, south, deepest)).toEqual({ outcome: 'too_deep' })
  expect(moveGroup(groups, south, chain.at(-2) as Group).outcome).toBe('moved')
  // The group itself would fit, the one below it would not.
  expect(moveGroup(groups, north, chain.at(-2) as Group)).toEqual({ outcome: 'too_deep' })
})

test('[D24.2] a group whose number begins alike is not within another', () => {
  expect(isWithin('/1/40/', '/1/4/')).toBe(false)
  expect(isWithin('/1/4/40/', '/1/4/')).toBe(true)
})
