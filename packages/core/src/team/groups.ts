import * as v from 'valibot'
import { isLine } from '../line.ts'
import { textBetween, wholeNumber } from '../validation.ts'

/** The most levels of groups below each other, the company included (D24.2). */
export const MAX_GROUP_LEVELS = 8

/** The most groups of a company, since each request of a team reads all of them (D24.2). */
export const MAX_GROUPS = 5_000

/** The number of a group, and of the company at the root of its tree. */
export const GroupId = wholeNumber(1, Number.MAX_SAFE_INTEGER)

/** The name of a company or a group: a line of 1 to 200 characters. */
export const GroupName = v.pipe(
  textBetween(1, 200),
  v.trim(),
  v.nonEmpty('must not be empty'),
  v.check(isLine, 'must be one line of text'),
)

/** A group of a company; the company is the group without a parent (D24.2). */
export interface Group {
  id: number
  parentId: number | null
  /** The ids from the company down to the group, such as `/1/4/9/`. */
  path: string
  name: string
  /** True if its members see when the others are away (D25.4). */
  seesMembers: boolean
  /** The members who shall be there on each date; null for no such number. It warns only (D26.11). */
  leastPresent: number | null
}

/** Returns the path of a group below another, of a company without one. */
export function pathBelow(parentPath: string | null, id: number): string {
  return `${parentPath ?? '/'}${id}/`
}

/** Returns the ids on a path, the company first. */
export function idsOnPath(path: string): number[] {
  return path.split('/').filter(Boolean).map(Number)
}

/** Returns the paths of the company, of each group down to the one of a path, and that path. */
export function pathsAlong(path: string): string[] {
  let above = '/'
  return idsOnPath(path).map((id) => (above = pathBelow(above, id)))
}

/** Returns the company that a path leads through. */
export function companyOf(path: string): number {
  return Number(path.split('/')[1])
}

/** True if a group is another one or lies below it. */
export function isWithin(path: string, ancestorPath: string): boolean {
  return path.startsWith(ancestorPath)
}

/** The outcome of moving a group: the new paths of it and of all groups below, or the reason why it cannot be. */
export type MoveOutcome =
  | { outcome: 'moved'; paths: { id: number; path: string }[] }
  | { outcome: 'is_company' | 'cycle' | 'other_company' | 'too_deep' }

/** Moves a group below another of its company (D24.2). `groups` are those of the company. */
export function moveGroup(groups: readonly Group[], moved: Group, parent: Group): MoveOutcome {
  if (moved.parentId === null) return { outcome: 'is_company' }
  if (companyOf(moved.path) !== companyOf(parent.path)) return { outcome: 'other_company' }
  if (isWithin(parent.path, moved.path)) return { outcome: 'cycle' }
  const base = pathBelow(parent.path, moved.id)
  const paths = groups
    .filter(({ path }) => isWithin(path, moved.path))
    .map(({ id, path }) => ({ id, path: base + path.slice(moved.path.length) }))
  const isTooDeep = paths.some(({ path }) => idsOnPath(path).length > MAX_GROUP_LEVELS)
  return isTooDeep ? { outcome: 'too_deep' } : { outcome: 'moved', paths }
}
