import {
  type Change,
  type Instant,
  LAST_DATE,
  type MemberRules,
  monthAfter,
  type RecordId,
  recordKinds,
  type UserNumber,
  utcDate,
} from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsOf } from '../../../../core/test/tier.ts'
import { readTimeline } from '../../../src/account/account-reads.ts'
import { closeWeek } from '../../../src/account/closing.ts'
import { sqlRecordStore } from '../../../src/store/records/sql-store.ts'
import type { RecordKey, UserReader } from '../../../src/store/store.ts'
import { dateSpan } from '../../../src/store/stored-records.ts'
import { UserStore } from '../../../src/store/users/users.ts'
import { applyChanges } from '../../../src/sync/apply-changes.ts'
import { pullSince } from '../../../src/sync/pull.ts'
import { adjustment, closedDay, closedWeek, entry, hourOf, idOf, settings, uuidOf } from '../samples.ts'
import { notingStatements } from '../statements.ts'
import { type Contract, isPruningDue, tagAt } from './kit.ts'

const MONDAY = Date.parse('2026-01-12T08:00:00.000Z')
const HOUR_MS = 3_600_000

/** A transaction reads each row once and writes what it put together. */
export function economyContract(contract: Contract): void {
  const change = (kind: Change['kind'], id: string, content: Change['content'], updatedAt: Instant): Change => {
    return { kind, id: uuidOf(id), content, updatedAt }
  }
  const work = (hours: number) => {
    return entry('', MONDAY, MONDAY + hours * HOUR_MS, { time_zone: null, note: '', tags: [], project: null }).fields
  }

  test('[D3.29] a late edit of a closed day takes 8 queries at most, and one write of log and counter', async () => {
    const user = await contract.user()
    const { driver, statements } = notingStatements(contract.driver)
    const records = sqlRecordStore(
      driver,
      () => 'tag',
      () => contract.clock.now(),
    )
    const context = { user, nowMs: contract.clock.now(), quotaBytes: Number.POSITIVE_INFINITY }
    const apply = (...changes: Change[]) => records.write(user, (writer) => applyChanges(writer, changes, context))
    const rules = { ...settings('', '2026-01-01').fields, break_policy: null, auto_close: null, holidays: null }
    await apply(
      change('settings_history', 'rules', rules, '2026-01-20T00:00:00.000Z'),
      change('entries', 'work', work(8), '2026-01-20T00:00:00.000Z'),
    )
    await records.write(user, async (writer) =>
      closeWeek({ ...context, writer, timeline: await readTimeline(writer) }, '2026-W03', 'user'),
    )
    const before = await versionOf(user)

    statements.length = 0
    await apply(change('entries', 'work', work(9), '2026-01-20T00:00:01.000Z'))
    const edit = [...statements]
    // The entry, its day and its week.
    expect(await versionOf(user)).toBe(before + 3)
    const [week] = await contract.read(user, (reader) => reader.overlapping('closed_weeks', dateSpan({})))
    expect(week?.fields.delta_ms).toBe(9 * HOUR_MS)
    expect(edit.filter((text) => text.startsWith('SELECT')).length, edit.join('\n\n')).toBeLessThanOrEqual(8)
    expect(edit.filter((text) => text.startsWith('UPDATE counters'))).toHaveLength(1)
    expect(edit.filter((text) => text.startsWith('INSERT INTO sync_log'))).toHaveLength(1)
    // The account's query comes between the entry and the figures that follow from it.
    expect(edit.filter((text) => text.startsWith('INSERT INTO records'))).toHaveLength(2)
    expect(edit.filter((text) => !text.startsWith('SELECT'))).toHaveLength(4)
  })

  test('[D26.9] [D27.6] [D30.1] a company costs a push of an absence two statements, and others none', async () => {
    const user = await contract.user()
    const { driver, statements } = notingStatements(contract.driver)
    const records = sqlRecordStore(
      driver,
      () => 'tag',
      () => contract.clock.now(),
    )
    const context = { user, nowMs: contract.clock.now(), quotaBytes: Number.POSITIVE_INFINITY }
    const today = utcDate(contract.clock.now())
    const present = { ...work(8), started_at: `${today}T08:00:00.000Z`, ended_at: `${today}T16:00:00.000Z` }
    const vacation = { ...work(8), kind: 'vacation', date: today, day_share: 1, amount_ms: null }
    let pushed = 0
    const statementsOf = async (content: Change['content']) => {
      statements.length = 0
      pushed += 1
      await records.write(user, (writer) =>
        applyChanges(writer, [change('entries', `pushed-${pushed}`, content, '2026-01-20T00:00:00.000Z')], context),
      )
      return [...statements]
    }
    const [ofWork, ofVacation] = [await statementsOf(present), await statementsOf(vacation)]
    const rules: MemberRules = { company: 1, dates: [{ from: '2026-01-01', to: LAST_DATE }], versions: [] }
    await contract.driver.run('UPDATE counters SET member_rules = $2 WHERE user_id = $1', [user, JSON.stringify(rules)])
    expect(await contract.read(user, (reader) => reader.memberRules())).toEqual(rules)
    const locked = Array.from({ length: 240 }, (_, index) => monthAfter('2000-01', index))
    const months = JSON.stringify({ locked, submitted: [] })
    await contract.driver.run('UPDATE counters SET member_months = $2 WHERE user_id = $1', [user, months])
    expect(await statementsOf(present)).toEqual(ofWork)
    // It reads the present date, and enqueues the job of the facts.
    expect(await statementsOf(vacation)).toHaveLength(ofVacation.length + 2)
  })

  test('[D5.19] [D5.22] versions, and valid sessions and tokens, of many users take one statement each', async () => {
    const users = [await contract.user(), await contract.user(), await contract.user()]
    const [first, second, third] = users as [UserNumber, UserNumber, UserNumber]
    await contract.put(first, hourOf(1), hourOf(2))
    await contract.put(third, hourOf(1))
    const gone = 12_345_678 as UserNumber
    const { driver, statements } = notingStatements(contract.driver)
    const records = sqlRecordStore(
      driver,
      () => 'tag',
      () => 0,
    )
    const found = await records.versions([first, second, gone, third])
    expect(found).toEqual([
      {
        status: 'fulfilled',
        value: new Map([
          [first, 2],
          [second, 0],
          [gone, 0],
          [third, 1],
        ]),
      },
    ])
    expect(statements).toHaveLength(1)
    statements.length = 0
    const at = '2026-01-01T00:00:00.000Z' as Instant
    const keys = users.flatMap((user) => [1, uuidOf('token')].map((id) => ({ user, id })))
    expect(await new UserStore(driver, () => gone).validIds(keys, { now: at, begunSince: at })).toEqual([])
    expect(statements).toHaveLength(1)
  })

  test('[D5.2] a pull takes three queries, and the poll for due jobs one', async () => {
    const user = await contract.user()
    await contract.put(user, hourOf(1), hourOf(2))
    const { driver, statements } = notingStatements(contract.driver)
    const records = sqlRecordStore(
      driver,
      () => 'tag',
      () => 0,
    )
    expect(await pullSince(records, contract.clock, user, 1, 10)).toMatchObject({ outcome: 'pulled' })
    expect(statements).toHaveLength(3)
    statements.length = 0
    expect(await records.usersWithDueJobs(-1, 20, [])).toEqual([])
    expect(statements).toHaveLength(1)
  })

  async function versionOf(user: UserNumber): Promise<number> {
    return (await contract.read(user, (reader) => reader.position())).version
  }

  test('a record that a transaction found is not read again, and neither is one that is missing', async () => {
    const user = await contract.user()
    await contract.put(user, hourOf(1, idOf('a')))
    const { driver, statements } = notingStatements(contract.driver)
    const store = sqlRecordStore(
      driver,
      () => 'tag',
      () => contract.clock.now(),
    )
    const keys: RecordKey[] = ['a', 'none'].map((name) => ({ kind: 'entries', id: idOf(name) }))
    await store.write(user, async (writer) => {
      const first = await writer.find(keys)
      statements.length = 0
      expect(await writer.find(keys)).toEqual(first)
      await writer.put([hourOf(2, idOf('none'))])
      expect((await writer.find(keys)).map(({ version }) => version)).toEqual([1, 2])
      expect(statements).toEqual([])
    })
  })

  const any = fc.oneof(
    fc.nat(3).map((hours) => entry(idOf('a'), MONDAY, MONDAY + hours * HOUR_MS)),
    fc.nat(3).map((day) => hourOf(day, idOf('b'))),
    fc.integer({ min: -3, max: 3 }).map((ms) => adjustment(idOf('c'), '2026-01-12', ms)),
    fc.integer({ min: -3, max: 3 }).map((ms) => closedDay(idOf('d'), '2026-01-12', ms)),
    fc.integer({ min: -3, max: 3 }).map((ms) => closedWeek(idOf('e'), '2026-W03', '2026-01-12', ms)),
    fc.constantFrom('2026-01-01', '2026-02-01').map((date) => settings(idOf('f'), date)),
  )
  const anyState = fc.tuple(any, fc.boolean()).map(([state, deleted]) => {
    return deleted ? { ...state, deleted, fields: { id: state.id, updated_at: state.updatedAt } } : state
  })

  test('[D4.3] whatever a transaction puts, all its reads see it as others do after the commit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyState, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(fc.nat(11)),
        async (puts, picked) => {
          const user = await contract.user()
          const within = await contract.records.write(user, async (writer) => {
            for (const states of puts) {
              await writer.put(states)
              // One read alone between two puts, so that each kind of read has to see them by itself.
              const [first] = picked
              await readsOf(writer)[first ?? 0]?.()
            }
            return readAll(writer)
          })
          expect(within).toEqual(await contract.read(user, readAll))
        },
      ),
      { numRuns: runsOf(15, 40) },
    )
  })

  test('[D4.7] a write that fails leaves no row to a write in the same commit', async () => {
    const user = await contract.user()
    await contract.put(user, hourOf(1, idOf('a'), { note: 'first' }))
    const key = { kind: 'entries', id: idOf('a') } as const
    const outcomes = await Promise.allSettled([
      contract.records.write(user, async (writer) => {
        await writer.put([hourOf(1, idOf('a'), { note: 'lost' })])
        await writer.count('entries', dateSpan({}))
        throw new Error('the body fails')
      }),
      contract.records.write(user, async (writer) => {
        const [found] = await writer.find([key])
        await writer.put([hourOf(1, idOf('a'), { note: 'second' })])
        return found
      }),
      contract.records.write(user, (writer) => writer.find([key])),
    ])
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { message: 'the body fails' } },
      { status: 'fulfilled', value: { version: 1, fields: { note: 'first' } } },
      { status: 'fulfilled', value: [{ version: 2, fields: { note: 'second' } }] },
    ])
  })

  test('[D4.7] a body that goes on after a failed statement loses all that it put', async () => {
    const user = await contract.user()
    const write = contract.records.write(user, async (writer) => {
      // No date has this text, so the record has no place in time.
      const broken = { ...hourOf(1, idOf('a')), fields: { kind: 'work', started_at: 'never', ended_at: null } }
      await writer.put([broken])
      await writer.count('entries', dateSpan({})).catch(() => undefined)
      await writer.put([hourOf(2, idOf('b'))])
    })
    await expect(write).rejects.toThrow()
    expect(await contract.log(user)).toEqual([])
    expect(await contract.rowsOf('records', user)).toBe(0)
  })
}

/** All reads of a transaction, each by itself. */
function readsOf(reader: UserReader): (() => Promise<unknown>)[] {
  const span = dateSpan({})
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'].map(idOf) satisfies RecordId[]
  return [
    () => reader.position(),
    () => reader.storedBytes(),
    () => reader.digests(),
    () => reader.accountEntries(span),
    () => reader.settingsRows(),
    () => reader.changesSince(0, 100),
    () => reader.snapshot(undefined, 100),
    () => isPruningDue(reader, Number.MAX_SAFE_INTEGER),
    async () => tagAt(reader, (await reader.position()).version),
    () => each((kind) => reader.overlapping(kind, span)),
    () => each(async (kind) => [await reader.count(kind, span), await reader.sumDeltas(kind, span)]),
    () => each(async (kind) => (await reader.find(ids.map((id) => ({ kind, id })))).toSorted(byId)),
  ]
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

function each<T>(read: (kind: (typeof recordKinds)[number]) => Promise<T>): Promise<T[]> {
  return recordKinds.reduce(
    async (results: Promise<T[]>, kind) => [...(await results), await read(kind)],
    Promise.resolve([]),
  )
}

async function readAll(reader: UserReader): Promise<unknown[]> {
  const results: unknown[] = []
  for (const read of readsOf(reader)) results.push(await read())
  return results
}
