import { type GroupRow, MAX_GROUP_LEVELS } from '@saldo/core'

/** A group in the order of the tree, with the number of groups above it. */
export interface TreeGroup {
  group: GroupRow
  level: number
}

type ByName = (a: GroupRow, b: GroupRow) => number

/** Returns the groups in the order of their tree, those of one parent by name. */
export function treeOf(groups: readonly GroupRow[], byName: ByName): TreeGroup[] {
  const childrenByParent = Map.groupBy(groups, ({ parent_id }) => parent_id)
  const below = (parent: number | null, level: number): TreeGroup[] =>
    (childrenByParent.get(parent) ?? [])
      .toSorted(byName)
      .flatMap((group) => [{ group, level }, ...below(group.id, level + 1)])
  return below(null, 0)
}

/** Returns the groups below which a group can be moved: none of its own, and no deeper than eight levels (D24.2). */
export function possibleParents(groups: readonly GroupRow[], moved: GroupRow | undefined, byName: ByName): TreeGroup[] {
  const tree = treeOf(groups, byName)
  const start = tree.findIndex(({ group }) => group.id === moved?.id)
  const level = tree[start]?.level ?? 0
  const own = start < 0 ? [] : [tree[start], ...tree.slice(start + 1, endOf(tree, start))]
  const height = Math.max(0, ...own.map((each) => (each?.level ?? 0) - level))
  return tree.filter((each) => !own.includes(each) && each.level + 1 + height < MAX_GROUP_LEVELS)
}

/** Returns the place after all groups below one. */
function endOf(tree: readonly TreeGroup[], start: number): number {
  const level = tree[start]?.level ?? 0
  const next = tree.findIndex((each, index) => index > start && each.level <= level)
  return next < 0 ? tree.length : next
}
