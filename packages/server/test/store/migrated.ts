import { strict as assert } from 'node:assert'
import {
  closingId,
  DigestSum,
  type IsoWeek,
  instantOf,
  type JsonObject,
  type LocalDate,
  PullResponse,
  type RecordId,
  type RecordKind,
  recordKinds,
  settingsIdOf,
  type UserNumber,
} from '@saldo/core'
import * as v from 'valibot'
import { expect } from 'vitest'
import { placementOf } from '../../src/store/records/rows.ts'
import type { StoredRecord } from '../../src/store/store.ts'
import type { Stores } from '../../src/store/stores.ts'
import { pullSince, pullSnapshot } from '../../src/sync/pull.ts'
import type { ManualClock } from '../manual-clock.ts'
import { isPruningDue, markerOf, storedBytesIn, tagAt } from './contract/kit.ts'
import type { contentsOfFile, RawRow } from './raw-database.ts'

type Contents = ReturnType<typeof contentsOfFile>

interface OldLogRow {
  version: number
  kind: RecordKind | '_pruned'
  record_id: string
  logged_at?: number
}

interface PlacedRow {
  kind: RecordKind
  body: string
  starts_ms: number
  ends_ms: number
  delta_ms: number | null
  brief: string | null
}

const USER = 1 as UserNumber
const jsonColumns = new Set(['target_ms', 'break_policy', 'auto_close', 'tags'])
const timedKinds = new Set<unknown>(['work', 'break'])

/** The contents of a database of an older level, in the terms of the current one. */
export class OldDatabase {
  readonly #old: Contents

  constructor(old: Contents) {
    this.#old = old
  }

  rows(table: string): RawRow[] {
    return this.#old.tables[table] ?? []
  }

  log(): OldLogRow[] {
    const rows = this.rows('sync_log') as unknown as OldLogRow[]
    return rows.toSorted((a, b) => a.version - b.version)
  }

  /** The id that a key of the old log or table has now. */
  id(kind: RecordKind | '_pruned', key: unknown): RecordId {
    if (kind === 'closed_days' || kind === 'closed_weeks') return closingId(USER, key as LocalDate | IsoWeek)
    return kind === 'settings_history' && /^\d+$/.test(String(key))
      ? settingsIdOf(USER, Number(key))
      : (key as RecordId)
  }

  /** Every record with the fields that it must have now, `version` aside. */
  records(): { kind: RecordKind; id: RecordId; fields: Record<string, unknown> }[] {
    return recordKinds.flatMap((kind) =>
      this.rows(kind).map((row) => {
        const id = this.id(kind, row.id ?? row.date ?? row.week)
        return { kind, id, fields: { ...this.#fieldsOf(kind, row), id } }
      }),
    )
  }

  #fieldsOf(kind: RecordKind, row: RawRow): Record<string, unknown> {
    const fields: Record<string, unknown> = {}
    for (const [column, value] of Object.entries(row)) {
      const isJson = jsonColumns.has(column) && typeof value === 'string' && kind !== 'closed_days'
      fields[column] = isJson ? JSON.parse(value) : value
    }
    if (kind === 'entries') {
      const foreign = timedKinds.has(row.kind) ? ['date', 'day_share'] : ['started_at', 'ended_at']
      for (const column of foreign) {
        assert.equal(fields[column], null)
        delete fields[column]
      }
      if (!timedKinds.has(row.kind)) fields.amount_ms = null
      if (row.kind === 'work') fields.counts = true
    }
    if (kind === 'settings_history') {
      fields.updated_at ??= row.created_at
      for (const name of ['hints', 'core_time', 'frame', 'holidays', 'vacation', 'limits']) fields[name] = null
    }
    if (kind === 'closed_days' || kind === 'closed_weeks') fields.updated_at = row.closed_at
    if (kind === 'closed_days' && row.settings_id !== null) {
      fields.settings_id = this.id('settings_history', row.settings_id)
    }
    if (kind === 'closed_weeks') {
      const dates = { from: row.start_date, to: row.end_date }
      const causes = [
        { kind, entry_type: null, op: 'close', count: 1, id: closingId(USER, row.week as IsoWeek), ...dates },
      ]
      fields.previous_delta_ms = null
      fields.revisions = [{ revision: row.revision, at: row.closed_at, delta_ms: row.delta_ms, causes }]
    }
    return fields
  }
}

/**
 * Asserts that a database, migrated from `contents` when the clock of the test stood where it stands, has everything
 * that it had: records, versions, tombstones, log and marker; and that who signs up first gets it all by pull.
 */
export async function expectMigrated(
  contents: Contents,
  { records, users, driver, clock }: Stores & { clock: ManualClock },
): Promise<void> {
  const migratedMs = clock.now()
  const old = new OldDatabase(contents)
  const oldLog = old.log()
  const lastLogged = new Map(oldLog.map((row) => [`${row.kind} ${old.id(row.kind, row.record_id)}`, row]))
  const highest = oldLog.at(-1)?.version ?? 0
  const oldMarker = oldLog.find(({ kind }) => kind === '_pruned')
  const expected = old.records()
  const storedBytes = await storedBytesIn({ driver }, USER)

  await records.read(USER, async (reader) => {
    const found = await reader.find(await reader.snapshot(undefined, 10_000))
    const byKey = new Map(found.map((record) => [`${record.kind} ${record.id}`, record]))
    expect(found).toHaveLength(expected.length)
    const unlogged: number[] = []
    for (const { kind, id, fields } of expected) {
      const record = byKey.get(`${kind} ${id}`) as StoredRecord
      expect(record, `${kind} ${id}`).toBeDefined()
      expect(JSON.parse(record.body)).toEqual({ ...fields, version: record.version })
      expect(record).toMatchObject({ updatedAt: fields.updated_at, claims: {}, deleted: false })
      const logged = lastLogged.get(`${kind} ${id}`)
      if (logged) expect(record.version, `${kind} ${id}`).toBe(logged.version)
      else unlogged.push(record.version)
    }
    // Records that the old log did not name follow its last version without a gap.
    expect(unlogged.toSorted((a, b) => a - b)).toEqual(unlogged.map((_, index) => highest + 1 + index))

    const dead = [...lastLogged.values()].filter(
      ({ kind, record_id }) => kind !== '_pruned' && !byKey.has(`${kind} ${old.id(kind, record_id)}`),
    )
    expect(dead.length).toBeGreaterThanOrEqual(4)
    for (const { kind, record_id, version, logged_at = migratedMs } of dead) {
      const id = old.id(kind, record_id)
      const [tombstone] = await reader.find([{ kind: kind as RecordKind, id }])
      const at = instantOf(logged_at)
      expect(tombstone).toMatchObject({ deleted: true, version, updatedAt: at })
      expect(JSON.parse(tombstone?.body ?? '')).toEqual({ id, updated_at: at, version })
    }

    const position = await reader.position()
    expect(position.version).toBe(highest + unlogged.length)
    expect(position.tag).toBe(await tagAt(reader, position.version))
    expect((await markerOf(reader))?.version).toBe(oldMarker?.version)
    expect(await isPruningDue(reader, oldMarker ? 0 : migratedMs)).toBe(false)
    const sum = new DigestSum()
    for (const { kind, body } of found) sum.add(kind, JSON.parse(body) as JsonObject)
    expect(await reader.digests()).toEqual(sum.digests())
    expect(await reader.storedBytes()).toBe(storedBytes)
    const changes = await reader.changesSince(oldMarker?.version ?? 0, 10_000)
    expect(changes).toHaveLength(expected.length + dead.length)

    const days = { from: Date.parse('0001-01-01'), to: Date.parse('9999-12-31') + 1 }
    for (const kind of ['closed_days', 'closed_weeks', 'balance_adjustments'] as const) {
      const deltas = old.rows(kind).map((row) => Number(row.delta_ms))
      expect((await reader.sumDeltas(kind, days)).sum).toBe(deltas.reduce((sum, delta) => sum + delta, 0))
    }
  })

  // The frozen code of the migration agrees with that of the store.
  const placed = await driver.all<PlacedRow>(
    'SELECT kind, body, starts_ms, ends_ms, delta_ms, brief FROM records WHERE deleted = 0',
  )
  for (const { kind, body, starts_ms, ends_ms, delta_ms, brief } of placed) {
    const place = placementOf({ kind, fields: JSON.parse(body) })
    expect(place, body).toEqual({ startsMs: starts_ms, endsMs: ends_ms, deltaMs: delta_ms, brief })
  }

  const log = await driver.read((sql) =>
    sql.all<OldLogRow & { tag: string }>(
      'SELECT version, kind, record_id, logged_at, tag FROM sync_log WHERE user_id = 1 ORDER BY version',
    ),
  )
  expect(log.slice(0, oldLog.length).map(({ tag: _, ...row }) => row)).toEqual(
    oldLog.map(({ version, kind, record_id, logged_at = migratedMs }) => {
      return { version, kind, record_id: old.id(kind, record_id), logged_at }
    }),
  )
  for (const { logged_at } of log.slice(oldLog.length)) expect(logged_at).toBe(migratedMs)
  expect(new Set(log.map(({ tag }) => tag)).size).toBe(log.length)

  await expectTakenOver(expected, oldMarker, { records, users, clock })
}

async function expectTakenOver(
  expected: { kind: RecordKind; id: string }[],
  oldMarker: OldLogRow | undefined,
  { records, users, clock }: Pick<Stores, 'records' | 'users'> & { clock: ManualClock },
): Promise<void> {
  expect(await users.list()).toHaveLength(0)
  const setupCode = await users.setupCode('code')
  const person = { passwordHash: 'none', at: instantOf(clock.now()) }
  expect(await users.add({ ...person, email: 'first@example.com', setupCode })).toEqual({
    outcome: 'added',
    user: USER,
  })
  const second = await users.add({ ...person, email: 'second@example.com' })
  assert(second.outcome === 'added')

  const answerTo = async (user: UserNumber, since: number | undefined): Promise<PullResponse> => {
    const outcome =
      since === undefined
        ? await pullSnapshot(records, clock, user, undefined, 10_000)
        : await pullSince(records, clock, user, since, 10_000)
    assert(outcome.outcome === 'pulled')
    // Clients must be able to read every migrated record.
    const { body } = outcome
    return v.parse(PullResponse, JSON.parse(body))
  }
  const keysIn = (answer: PullResponse) =>
    recordKinds.flatMap((kind) => (answer.changes[kind] ?? []).map(({ id }) => `${kind} ${id}`)).toSorted()
  const expectedKeys = expected.map(({ kind, id }) => `${kind} ${id}`).toSorted()

  const snapshot = await answerTo(USER, undefined)
  expect(keysIn(snapshot)).toEqual(expectedKeys)
  const since = oldMarker?.version ?? 0
  if (oldMarker) {
    const stale = await pullSince(records, clock, USER, since - 1, 10)
    expect(stale).toMatchObject({ outcome: 'stale', marker: { version: since } })
  }
  const pulled = await answerTo(USER, since)
  expect(keysIn(pulled)).toEqual(expectedKeys)
  expect(pulled).toMatchObject({ version: snapshot.version, tag: snapshot.tag, has_more: false })
  expect(keysIn(await answerTo(second.user, undefined))).toEqual([])
}
