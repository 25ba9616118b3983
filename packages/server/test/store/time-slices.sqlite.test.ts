import type { Change, UserNumber } from '@saldo/core'
import { afterEach, expect, test, vi } from 'vitest'
import { accountProposals } from '../../src/account/proposals.ts'
import { vacationAccount } from '../../src/account/vacation.ts'
import { sqlRecordStore } from '../../src/store/records/sql-store.ts'
import type { Proposal, UserReader } from '../../src/store/store.ts'
import { dateSpan } from '../../src/store/stored-records.ts'
import { TeamStore } from '../../src/store/team/team-store.ts'
import { TeamWriter } from '../../src/store/team/team-writer.ts'
import { deletingUsers } from '../../src/store/users/user-rows.ts'
import { applyChanges } from '../../src/sync/apply-changes.ts'
import { standingLeave } from '../../src/team/leave-list.ts'
import { readRequests } from '../../src/team/waiting.ts'
import { mapInSlices } from '../../src/time-slice.ts'
import { newId, resourceOf } from '../http/resources.ts'
import { adjustment, uuidOf } from './samples.ts'
import { notingStatements } from './statements.ts'
import { openTemporary } from './temporary.ts'

afterEach(() => vi.restoreAllMocks())

/** Lets a millisecond pass with each look at the time, and counts the turns of the event loop during `work`. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  // The turn in which databases have worked already ends by the real time.
  await new Promise((resolve) => setImmediate(resolve))
  let [nowMs, turns] = [0, 0]
  vi.spyOn(performance, 'now').mockImplementation(() => {
    nowMs += 1
    return nowMs
  })
  const count = () => {
    turns += 1
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  try {
    await work()
  } finally {
    clearImmediate(timer)
  }
  return turns
}

test('[D1.37] work on many items lets others go first between two of them', async () => {
  const items = Array.from({ length: 100 }, (_, index) => index)
  let doubled: number[] = []
  const turns = await turnsDuring(async () => {
    doubled = await mapInSlices(items, (item) => 2 * item)
  })
  expect(doubled).toEqual(items.map((item) => 2 * item))
  expect(turns).toBeGreaterThan(10)
})

test('[D1.37] statements let others go first between two of them, also if each is a transaction', async () => {
  const { driver } = await openTemporary()
  const read = (count: number) => async () => {
    for (let index = 0; index < count; index += 1) await driver.all('SELECT 1 AS one')
  }
  const [few, many] = [await turnsDuring(read(1)), await turnsDuring(read(100))]
  expect(many - few).toBeGreaterThan(10)
})

test('[D1.37] a statement that reads records lets others go first between two of them', async () => {
  const { records, users } = await openTemporary()
  const added = await users.add({ email: 'a@example.com', passwordHash: 'none', at: '2026-02-02T12:00:00.000Z' })
  const { user } = added as { user: UserNumber }
  await records.write(user, (writer) => writer.put(rowsOf(200) as never))
  const read = (count: number) => () => records.read(user, (reader) => reader.snapshot(undefined, count))
  const [few, many] = [await turnsDuring(read(1)), await turnsDuring(read(200))]
  expect(many - few).toBeGreaterThan(20)
})

test('[D1.37] the vacation account of a late year lets others go first between two years', async () => {
  const { records, users } = await openTemporary()
  const at = '2026-02-02T12:00:00.000Z'
  const { user } = (await users.add({ email: 'a@example.com', passwordHash: 'none', at })) as { user: UserNumber }
  const id = newId()
  const fields = { id, kind: 'vacation_grant', date: '0001-01-01', days: 1, note: '', created_at: at, updated_at: at }
  const record = { kind: 'entries', id, updatedAt: at, deleted: false, fields, claims: {} }
  await records.write(user, (writer) => writer.put([record] as never))
  const read = (year: number) => () => records.read(user, (reader) => vacationAccount(reader, { user, year }, 0))
  const [few, many] = [await turnsDuring(read(1)), await turnsDuring(read(9_999))]
  expect(many - few).toBeGreaterThan(1_000)
})

test('[D1.37] large settings rows are read a few at a time, and of adjustments only what is added up', async () => {
  const { driver, users } = await openTemporary()
  const at = '2026-02-02T12:00:00.000Z'
  const noting = notingStatements(driver)
  const records = sqlRecordStore(
    noting.driver,
    () => 'tag',
    () => Date.parse(at),
  )
  const limits = { green_ms: 0, yellow_ms: 0, period_ends: ['12-31'], keep_at_most_ms: 0 }
  const contents = {
    settings_history: { ...resourceOf('settings_history').content, effective_from: '2025-01-01', limits },
    balance_adjustments: resourceOf('balance_adjustments').content,
  }
  const rowsOfKind = (kind: keyof typeof contents, count: number) =>
    Array.from({ length: count }, () => {
      const id = newId()
      const fields = { id, ...contents[kind], created_at: at, updated_at: at }
      return { kind, id, updatedAt: at, deleted: false, fields, claims: {} }
    })
  const read = async (settings: number, adjustments: number) => {
    const added = await users.add({ email: `${settings}-${adjustments}@example.com`, passwordHash: 'none', at })
    const { user } = added as { user: UserNumber }
    const rows = [...rowsOfKind('settings_history', settings), ...rowsOfKind('balance_adjustments', adjustments)]
    await records.write(user, (writer) => writer.put(rows as never))
    noting.statements.length = 0
    const work = () => records.read(user, (reader) => accountProposals(reader, user, Date.parse(at)))
    const turns = await turnsDuring(work)
    return { turns, bodies: noting.statements.filter((text) => text.includes('body')).length }
  }
  const [few, settings, adjustments] = [await read(1, 1), await read(300, 1), await read(1, 300)]
  expect(settings.turns - few.turns).toBeGreaterThan(50)
  expect(settings.bodies - few.bodies).toBe(6)
  expect(adjustments.bodies).toBe(few.bodies)
})

test('[D1.37] hundreds of requests are read a few at a time, and others go first between two of them', async () => {
  const { records, users } = await openTemporary()
  const at = '2026-02-02T12:00:00.000Z'
  const asked = { kind: 'request', asks: 'absence', absence: 'vacation', day_share: 1, amount_ms: null }
  const dates = { date: '2026-03-02', last_date: '2026-03-03', planned: false, substitute: null, changes: null }
  const read = async (count: number) => {
    const added = await users.add({ email: `${count}@example.com`, passwordHash: 'none', at })
    const { user } = added as { user: UserNumber }
    const rows = Array.from({ length: count }, () => {
      const id = newId()
      const fields = { id, ...asked, ...dates, note: '', created_at: at, updated_at: at }
      return { kind: 'entries', id, updatedAt: at, deleted: false, fields, claims: {} }
    })
    await records.write(user, (writer) => writer.put(rows as never))
    const asking = { user, timeline: [], nowMs: Date.parse(at) }
    return turnsDuring(() => records.read(user, (reader) => readRequests(reader, asking)))
  }
  expect((await read(100)) - (await read(1))).toBeGreaterThan(15)
})

test('[D1.37] [D28.5] a write lets others go first while it looks for what HR has changed', async () => {
  const { records, users } = await openTemporary()
  const at = '2026-02-02T12:00:00.000Z'
  const write = async (count: number) => {
    const added = await users.add({ email: `${count}@example.com`, passwordHash: 'none', at })
    const { user } = added as { user: UserNumber }
    const { content } = resourceOf('entries')
    const deletion = () => ({ kind: 'entries', op: 'delete', id: newId(), updated_at: at })
    const made = { company: 1, by: user, at, reason: 'a mistake', state: 'applied', answeredAt: null } as const
    await records.write(user, async (writer) => {
      await writer.putMemberRules({ company: 1, dates: [{ from: '2026-01-01', to: '9999-12-31' }], versions: [] })
      await writer.noteHrChanges()
      for (let index = 0; index < count; index += 1) {
        const proposal = { ...made, id: newId(), changes: [deletion(), deletion()], overriddenAt: null }
        await writer.putProposal(proposal as Proposal)
      }
    })
    const change = { kind: 'entries', id: newId(), content: { ...content, note: '' }, updatedAt: null } as Change
    const context = { user, nowMs: Date.parse(at), quotaBytes: Number.POSITIVE_INFINITY }
    return turnsDuring(() => records.write(user, (writer) => applyChanges(writer, [change], context)))
  }
  expect((await write(100)) - (await write(1))).toBeGreaterThan(15)
})

test('[D1.37] [D28.7] the list of company leave is read in pieces, and of each the people that are left', async () => {
  const { driver } = await openTemporary()
  const at = '2026-02-02T12:00:00.000Z'
  const company = (name: string) =>
    driver.write((sql) => {
      const group = { parent: null, name, seesMembers: true, leastPresent: null, defaults: null }
      return new TeamWriter(sql, at).addGroup(group)
    })
  const leave = { id: newId(), kind: 'paid_other' } as const
  const read = async (count: number) => {
    const { id } = await company(String(count))
    await driver.write(async (sql) => {
      const writer = new TeamWriter(sql, at)
      const note = (kind: 'leave_written' | 'leave_removed', users: number[]) =>
        writer.note(id, null, kind, { from: '2026-12-24', until: '2026-12-31', leave: { ...leave, users } as never })
      for (let index = 0; index < count; index += 1) await note('leave_written', [1, 2, 3])
      await note('leave_removed', [2])
    })
    let users: readonly number[] = []
    const turns = await turnsDuring(async () => {
      const [only] = await standingLeave(new TeamStore(driver).leaveTrail(id))
      users = only?.users ?? []
    })
    expect(users).toEqual([1, 3])
    return turns
  }
  expect((await read(3_000)) - (await read(1))).toBeGreaterThan(2)
})

function rowsOf(count: number) {
  const { content } = resourceOf('entries')
  const updatedAt = '2026-11-21T08:00:00.000Z'
  return Array.from({ length: count }, () => {
    const id = newId()
    const fields = { id, ...content, created_at: updatedAt, updated_at: updatedAt }
    return { kind: 'entries' as const, id, updatedAt, deleted: false, fields, claims: {} }
  })
}

test('[D1.37] [D19.21] a full account is deleted in short transactions, between which others write', async () => {
  const { driver, records, users } = await openTemporary()
  const added = await users.add({ email: 'a@example.com', passwordHash: 'none', at: '2026-02-02T12:00:00.000Z' })
  const { user } = added as { user: UserNumber }
  await records.write(user, (writer) => writer.put(rowsOf(1_200) as never))
  const write = vi.spyOn(driver, 'write')
  await deletingUsers(driver, (_, remove) => remove(user))
  expect(write).toHaveBeenCalledTimes(4)
  for (const table of ['records', 'sync_log', 'jobs']) {
    expect(await driver.all(`SELECT user_id FROM ${table}`)).toEqual([])
  }
})

test.each<[work: string, read: (reader: UserReader) => Promise<unknown>, statements: number]>([
  ['a pull of rows that are not current', (reader) => reader.changesSince(0, 10), 3],
  ['a sum of adjustments', (reader) => reader.sumDeltas('balance_adjustments', dateSpan({})), 2],
  ['counting entries on days', (reader) => reader.countOnDays(Array.from({ length: 50 }, (_, day) => day)), 3],
])('[D1.37] %s is several statements, between which others go first', async (_, read, statements) => {
  const { driver, users } = await openTemporary()
  const added = await users.add({ email: 'a@example.com', passwordHash: 'none', at: '2026-02-02T12:00:00.000Z' })
  const { user } = added as { user: UserNumber }
  const noting = notingStatements(driver)
  const records = sqlRecordStore(
    noting.driver,
    () => 'tag',
    () => 0,
  )
  const adjustments = Array.from({ length: 2_100 }, (_, index) => adjustment(uuidOf(index), '2026-01-01', 1))
  await records.write(user, (writer) => writer.put(adjustments))
  await records.write(user, (writer) => writer.put(adjustments))
  noting.statements.length = 0
  await records.read(user, read)
  const reading = noting.statements.filter((text) => /FROM (records|sync_log AS l|\(SELECT value)/.test(text))
  expect(reading).toHaveLength(statements)
})

test('[D1.37] a long write lets others go first between its statements and between the rows of one', async () => {
  const { records, users } = await openTemporary()
  const added = await users.add({ email: 'a@example.com', passwordHash: 'none', at: '2026-02-02T12:00:00.000Z' })
  const { user } = added as { user: UserNumber }
  const put = (count: number) => () => records.write(user, (writer) => writer.put(rowsOf(count) as never))
  const [few, many] = [await turnsDuring(put(1)), await turnsDuring(put(500))]
  // The rows of two tables, and the steps before.
  expect(many - few).toBeGreaterThan(250)
})
