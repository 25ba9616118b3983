import {
  type CompanyEvent,
  coversGroup,
  GroupInput,
  type GroupRow,
  type ItemResult,
  idsOnPath,
  isMemberOn,
  jsonEqual,
  type LocalDate,
  MAX_GROUP_LEVELS,
  MAX_GROUPS,
  MemberDefaults,
  moveGroup,
  pathBelow,
} from '@saldo/core'
import * as v from 'valibot'
import { knownFieldsOf } from '../http/unknown-fields.ts'
import type { StoredGrant, StoredGroup } from '../store/team/team-store.ts'
import type { TeamWriter } from '../store/team/team-writer.ts'
import { TimeSlice } from '../time-slice.ts'
import { MANAGERS, type TeamViewer } from './access.ts'
import type { TeamNews } from './announcements.ts'
import type { Companies } from './companies.ts'
import { checkItem, rejected } from './items.ts'

/** Returns the groups of a company with the number of members of each. */
export async function groupRows(companies: Companies, companyId: number): Promise<GroupRow[]> {
  const members = await membersByGroup(companies, companyId)
  const groups = await companies.store.groupsWithDefaults(companyId)
  return groups.map(({ id, parentId, name, seesMembers, leastPresent, defaults }) => ({
    id,
    parent_id: parentId,
    name,
    sees_members: seesMembers,
    least_present: leastPresent,
    defaults,
    members: members.get(id) ?? 0,
  }))
}

/**
 * Adds and changes groups one after another (D24.2, D24.12). `mayMailMany` counts what a change mails to many, and is
 * false after too much.
 */
export function putGroups(
  companies: Companies,
  viewer: TeamViewer,
  items: readonly unknown[],
  { isDryRun, mayMailMany }: { isDryRun: boolean; mayMailMany: (count: number) => Promise<boolean> },
): Promise<ItemResult[]> {
  return companies.write(viewer, { callers: MANAGERS, isDryRun }, async (writer, by) => {
    const result: ItemResult[] = []
    const groups = new CompanyGroups(await writer.store.groupsWithDefaults(by.companyId))
    const grants = await writer.store.grants(by.companyId)
    const limits = { today: companies.today(), mayMailMany: isDryRun ? undefined : mayMailMany }
    const context: Putting = { writer, by, groups, grants, news: [], ...limits }
    const slice = new TimeSlice()
    for (const item of items) {
      // An item that changes nothing runs no statement, between which others go first.
      if (slice.isUsedUp()) await slice.renew()
      const checked = checkItem(GroupInput, item)
      result.push(checked.ok ? await putGroup(context, checked.value) : checked.result)
    }
    await writer.movePaths(groups.moved())
    return { result, news: context.news }
  })
}

/** The groups of a company, as the items of a list so far leave them: reading them for each item would take seconds. */
class CompanyGroups {
  readonly #byId: Map<number, StoredGroup>
  /** The paths as they are stored. */
  readonly #storedPaths: Map<number, string>

  constructor(groups: readonly StoredGroup[]) {
    this.#byId = new Map(groups.map((group) => [group.id, group]))
    this.#storedPaths = new Map(groups.map(({ id, path }) => [id, path]))
  }

  all(): StoredGroup[] {
    return [...this.#byId.values()]
  }

  find(id: number): StoredGroup | undefined {
    return this.#byId.get(id)
  }

  pathOf(id: number): string {
    const group = this.#byId.get(id)
    if (!group) throw new Error('a role of a group that is not of the company')
    return group.path
  }

  add(group: StoredGroup): void {
    this.#storedPaths.set(group.id, group.path)
    this.#byId.set(group.id, group)
  }

  change(group: Omit<StoredGroup, 'path'>): void {
    this.#byId.set(group.id, { ...group, path: this.pathOf(group.id) })
  }

  move(paths: readonly { id: number; path: string }[]): void {
    for (const { id, path } of paths) {
      const group = this.#byId.get(id)
      if (group) this.#byId.set(id, { ...group, path })
    }
  }

  /** Returns the groups whose paths are still to be stored: each once, however often the items move it. */
  moved(): { id: number; path: string }[] {
    return this.all().filter(({ id, path }) => path !== this.#storedPaths.get(id))
  }
}

interface Putting {
  writer: TeamWriter
  by: TeamViewer
  groups: CompanyGroups
  /** The roles of the company, whose groups may have been moved since they were read. */
  grants: readonly StoredGrant[]
  /** Announced once the changes are stored. */
  news: TeamNews[]
  today: LocalDate
  mayMailMany: ((count: number) => Promise<boolean>) | undefined
}

async function putGroup(context: Putting, input: GroupInput): Promise<ItemResult> {
  const { writer, by, mayMailMany } = context
  const { companyId, user } = by
  const groups = context.groups.all()
  const stored = storedOf(groups, companyId, input)
  if (input.id !== undefined && !stored) return rejected('group_missing')
  const parentId = input.parent_id ?? stored?.parentId ?? (stored ? null : companyId)
  const parent = parentId === null ? null : context.groups.find(parentId)
  if (parent === undefined) return rejected('parent_missing')
  const { name, sees_members: seesMembers, least_present: leastPresent } = input
  // Whoever manages groups reads all of them, and unknown fields can be large.
  const defaults = knownFieldsOf(v.nullable(MemberDefaults), input.defaults) as MemberDefaults | null
  const isTaken = groups.some((group) => group.id !== stored?.id && group.parentId === parentId && group.name === name)
  if (isTaken) return rejected('group_exists')
  const note = (kind: CompanyEvent) => writer.note(companyId, user, kind, { group: name })
  if (!stored) {
    if (parent && idsOnPath(parent.path).length >= MAX_GROUP_LEVELS) return rejected('too_deep')
    if (groups.length >= MAX_GROUPS) return rejected('too_many_groups')
    const { id, path } = await writer.addGroup({ parent, name, seesMembers, leastPresent, defaults })
    context.groups.add({ id, path, parentId, name, seesMembers, leastPresent, defaults })
    await note('group_added')
    return { outcome: 'added', id }
  }
  const { id } = stored
  const isMoved = parent?.id !== (stored.parentId ?? undefined)
  if (isMoved && !parent) return rejected('is_company')
  const moved = isMoved && parent ? moveGroup(groups, stored, parent) : undefined
  if (moved && moved.outcome !== 'moved') return rejected(moved.outcome)
  const path = moved ? pathBelow(parent?.path ?? null, id) : stored.path
  const { gained, isOpened } = await newSights(context, stored, { path, seesMembers })
  if (gained.length > 0 || isOpened) {
    if (!by.roles.some(({ role }) => role === 'hr')) return rejected('hr_only')
    // Each role that is gained counts: a group could move to and fro below hundreds of leads.
    if (mayMailMany && !(await mayMailMany(gained.length + Number(isOpened)))) return rejected('mailed_often')
  }
  if (moved) context.groups.move(moved.paths)
  for (const { user: lead, role, from, until } of gained) {
    await writer.note(companyId, user, 'role_given', { user: lead, role, group: name, from, until })
    context.news.push({ what: 'role_given', user: lead, role, group: name, path })
  }
  if (isOpened) context.news.push({ what: 'group_opened', group: name, path })
  const after = { id, parentId, name, seesMembers, leastPresent, defaults }
  const { path: _path, ...before } = stored
  if (jsonEqual(after, before)) return { outcome: 'unchanged', id }
  context.groups.change(after)
  await writer.changeGroup(after)
  await note('group_changed')
  return { outcome: 'changed', id }
}

/**
 * Returns what a change lets others see of the members of a group (D24.22): the roles of leads that it gets below, and
 * whether its members see each other from then on.
 */
async function newSights(
  { writer, groups, grants, today }: Putting,
  before: StoredGroup,
  after: Pick<StoredGroup, 'path' | 'seesMembers'>,
): Promise<{ gained: StoredGrant[]; isOpened: boolean }> {
  const isShown = after.seesMembers && !before.seesMembers
  const isGained = (grant: StoredGrant) => {
    if (grant.role !== 'lead' && grant.role !== 'deputy') return false
    if (grant.until !== null && grant.until < today) return false
    const ofRole = { path: groups.pathOf(grant.groupId) }
    return coversGroup(ofRole, after.path) && !coversGroup(ofRole, before.path)
  }
  return {
    gained: after.path === before.path ? [] : grants.filter(isGained),
    isOpened: isShown && (await writer.store.hasMembers(before.id)),
  }
}

/** Finds the group that an input names: by its id, or by parent and name (D24.12). */
function storedOf(groups: readonly StoredGroup[], companyId: number, { id, parent_id, name }: GroupInput) {
  if (id !== undefined) return groups.find((group) => group.id === id)
  return groups.find((group) => group.parentId === (parent_id ?? companyId) && group.name === name)
}

/** Removes an empty group. */
export function removeGroup(
  companies: Companies,
  viewer: TeamViewer,
  id: number,
): Promise<'removed' | 'not_found' | 'not_empty'> {
  return companies.write(viewer, { callers: MANAGERS }, async (writer, { companyId, user }) => {
    const group = (await writer.store.groups(companyId)).find((each) => each.id === id)
    if (!group) return { result: 'not_found' }
    if (group.parentId === null || !(await writer.deleteGroup(id))) return { result: 'not_empty' }
    await writer.note(companyId, user, 'group_removed', { group: group.name })
    return { result: 'removed' }
  })
}

/** Returns the number of members of each group today: those who have accepted. */
export async function membersByGroup(companies: Companies, companyId: number): Promise<Map<number, number>> {
  const today = companies.today()
  const present = (await companies.store.memberships(companyId)).filter((membership) => isMemberOn(membership, today))
  const byGroup = Map.groupBy(present, ({ groupId }) => groupId)
  return new Map([...byGroup].map(([id, list]) => [id, new Set(list.map(({ user }) => user)).size]))
}
