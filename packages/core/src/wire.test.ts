import { createHash } from 'node:crypto'
import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyJson, storableJson } from '../test/arbitraries.ts'
import { readFixture } from '../test/fixtures.ts'
import { runsOf } from '../test/tier.ts'
import { AccountDay, BalanceSummary } from './account-summary.ts'
import { Problem } from './errors.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import { MAX_RECORD_BYTES, recordSchemas } from './record.ts'
import { isRecordKind, isWritableKind } from './record-kinds.ts'
import { check, matches } from './validation.ts'
import {
  DigestResponse,
  PROTOCOL_HASH,
  PROTOCOL_VERSION,
  PullResponse,
  PushChange,
  PushRequest,
  PushResponse,
  parseChange,
  pushStatuses,
  ReceivedDigest,
  ReceivedPull,
  ReceivedPush,
  wireLimits,
} from './wire.ts'

const { valid, skipped, invalid } = readFixture<{
  valid: {
    name: string
    input: JsonObject
    read: { kind: string; id: string; updated_at: string; seq?: number; content: JsonObject | null }
  }[]
  skipped: { name: string; input: JsonObject; kind: string; id: string | null }[]
  invalid: { name: string; input: unknown; pointers: string[]; id: string | null }[]
}>('changes')

const ID = '00000000-0000-4000-8000-000000000001'
const AT = '2026-11-21T08:30:00.000Z'

describe('parseChange', () => {
  test.each(valid)('[R3.7] [D6.1] $name is read', ({ input, read: { updated_at, seq, ...rest } }) => {
    const before = structuredClone(input)
    const change = { ...rest, updatedAt: updated_at, device: ID, seq }
    expect(parseChange(input, ID)).toStrictEqual({ outcome: 'valid', change })
    expect(input).toStrictEqual(before)
  })

  test.each(skipped)('[R1.3] [R3.9] [D6.6] $name is skipped', ({ input, kind, id }) => {
    expect(parseChange(input)).toStrictEqual({ outcome: 'skipped', kind, id })
  })

  test.each(invalid)('[D6.7] $name is rejected at $pointers', ({ input, pointers, id }) => {
    const parsed = parseChange(input)
    if (parsed.outcome !== 'rejected') throw new Error('the change was not rejected')
    expect(parsed.errors.map(({ pointer }) => pointer).sort()).toStrictEqual([...pointers].sort())
    expect(parsed.id).toBe(id)
  })

  test.each(valid)('[D6.1] $name in canonical form matches the documented schema', ({ read }) => {
    const { kind, id, updated_at, seq, content } = read
    const change = content
      ? { kind, op: 'upsert', seq, record: { id, updated_at, ...content } }
      : { kind, op: 'delete', seq, id, updated_at }
    expect(check(PushChange, change)).toMatchObject({ ok: true })
  })

  test('[D6.7] any JSON is read, skipped or rejected without throwing', () => {
    const some = valid.map(({ input }) => input)
    const almost = fc
      .tuple(fc.constantFrom(...some), fc.constantFrom('kind', 'op', 'seq', 'id', 'updated_at', 'record', 'x'), anyJson)
      .map(([input, key, value]) => ({ ...input, [key]: value }))
    const within = fc
      .tuple(fc.constantFrom(...some), fc.constantFrom('kind', 'id', 'updated_at', 'date', 'reason', 'x'), anyJson)
      .map(([input, key, value]) => ({ ...input, record: { ...(input.record as JsonObject), [key]: value } }))
    fc.assert(
      fc.property(fc.oneof(anyJson, almost, within), (input) => {
        const parsed = parseChange(input)
        if (parsed.outcome === 'skipped') {
          expect(isRecordKind(parsed.kind) && !isWritableKind(parsed.kind)).toBe(true)
        } else if (parsed.outcome === 'valid') {
          const { kind, id, updatedAt, seq, content } = parsed.change
          const again = content
            ? { kind, op: 'upsert', seq, record: { ...content, id, updated_at: updatedAt } }
            : { kind, op: 'delete', seq, id, updated_at: updatedAt }
          expect(parseChange(again)).toStrictEqual(parsed)
        } else {
          expect(parsed.errors.length).toBeGreaterThan(0)
        }
      }),
      { numRuns: runsOf(600, 3_000) },
    )
  })

  test('[R3.9] [D6.6] a change of a closing is skipped, whatever else it says', () => {
    fc.assert(
      fc.property(fc.constantFrom('closed_days', 'closed_weeks'), storableJson, storableJson, (kind, op, record) => {
        expect(parseChange({ kind, op, record })).toMatchObject({ outcome: 'skipped', kind })
      }),
      { numRuns: 200 },
    )
  })
})

describe('parseChange of a rejected change', () => {
  test('[D6.7] names kind and id as text that a response can carry, or null, for any JSON', () => {
    const harmful = fc.constantFrom('\ud800', 'x'.repeat(101), 5, null, {}, ['a'])
    const named = fc.record({ kind: harmful, id: harmful })
    const input = fc.oneof(anyJson, named, fc.record({ record: fc.record({ id: harmful }) }))
    fc.assert(
      fc.property(input, (value) => {
        const parsed = parseChange(value)
        if (parsed.outcome !== 'rejected') return
        const said = isJsonObject(value) ? [value.kind, value.id, (value.record as JsonObject | undefined)?.id] : []
        for (const text of [parsed.kind, parsed.id]) {
          if (text === null) continue
          expect(text.isWellFormed() && text.length <= 100).toBe(true)
          expect(said).toContain(text)
        }
      }),
      { numRuns: 500 },
    )
    expect(parseChange({ id: 'x'.repeat(100) })).toMatchObject({ id: 'x'.repeat(100) })
    expect(parseChange({ id: 'x'.repeat(101) })).toMatchObject({ id: null })
    expect(parseChange({ record: { id: '\ud800' } })).toMatchObject({ id: null })
  })
})

describe('PushRequest', () => {
  test('[D6.1] a push has changes, which are read one by one, and an optional device', () => {
    const device = ID
    const changes = [{ kind: 'nonsense' }, null, 5]
    expect(check(PushRequest, { device, changes })).toStrictEqual({ ok: true, value: { device, changes } })
    expect(check(PushRequest, { changes: [] })).toStrictEqual({ ok: true, value: { changes: [] } })
  })

  test.each<[string, unknown, string[]]>([
    ['null', null, ['']],
    ['a list', [], ['/changes']],
    ['no changes', {}, ['/changes']],
    ['changes that are no list', { changes: {} }, ['/changes']],
    ['a device that is no UUID', { device: 'laptop', changes: [] }, ['/device']],
    ['a device that is null', { device: null, changes: [] }, ['/device']],
  ])('[D6.1] %s is refused', (_, input, pointers) => {
    const checked = check(PushRequest, input)
    expect(checked.ok ? [] : checked.errors.map(({ pointer }) => pointer)).toStrictEqual(pointers)
  })
})

const figures = {
  target_ms: 28_800_000,
  worked_ms: 27_000_000,
  break_ms: 0,
  deducted_break_ms: 0,
  credited_ms: 0,
  delta_ms: -1_800_000,
}
const settlement = { closed_at: AT, closed_by: 'auto', revision: 1 }
const closedDay = {
  id: ID,
  updated_at: AT,
  version: 3,
  date: '2026-11-18',
  time_zone: 'Europe/Berlin',
  ...figures,
  settings_id: null,
  ...settlement,
}
const closedWeek = {
  id: ID,
  updated_at: AT,
  version: 4,
  week: '2026-W47',
  start_date: '2026-11-16',
  end_date: '2026-11-22',
  ...figures,
  ...settlement,
  previous_delta_ms: 0,
  revisions: [
    {
      ...{ revision: 2, at: AT, delta_ms: -1 },
      causes: [
        {
          ...{ kind: 'entries', entry_type: 'timed', op: 'delete', count: 6, id: ID },
          ...{ from: '2026-11-16', to: '2026-11-18' },
        },
      ],
    },
  ],
}

describe('responses', () => {
  const page = {
    version: 7,
    tag: 'a1',
    since_tag: null,
    has_more: false,
    server_time: AT,
    changes: { closed_days: [{ ...closedDay, later: { a: [1] } }], closed_weeks: [closedWeek] },
    deleted: { entries: [{ id: ID, updated_at: AT, version: 5 }] },
  }

  test('[D1.2] [D5.1] a pull page is read with unknown fields of its records', () => {
    expect(check(PullResponse, page)).toStrictEqual({ ok: true, value: page })
  })

  test('[D5.1] a pull page without one of its fields is rejected', () => {
    for (const part of ['version', 'tag', 'has_more', 'server_time', 'changes', 'deleted']) {
      const { [part]: _, ...rest } = page as JsonObject
      const errors = [{ pointer: `/${part}`, detail: 'is missing' }]
      expect(check(PullResponse, rest), part).toStrictEqual({ ok: false, errors })
    }
  })

  test('[D5.8] a page of a snapshot has a cursor', () => {
    const { since_tag: _, ...rest } = page
    for (const cursor of ['opaque', null]) {
      expect(check(PullResponse, { ...rest, cursor })).toMatchObject({ ok: true, value: { cursor } })
    }
  })

  test('[D1.17] every record and tombstone carries its version', () => {
    for (const [kind, schema] of Object.entries(recordSchemas)) {
      expect(Object.keys('options' in schema ? schema.options[0].entries : schema.entries), kind).toContain('version')
    }
    const { version: _, ...unversioned } = closedDay
    expect(check(PullResponse, { ...page, changes: { closed_days: [unversioned] } })).toStrictEqual({
      ok: false,
      errors: [{ pointer: '/changes/closed_days/0/version', detail: 'is missing' }],
    })
    expect(check(PullResponse, { ...page, deleted: { entries: [{ id: ID, updated_at: AT }] } }).ok).toBe(false)
  })

  test('[D7.28] a client reads a response to a pull with unknown records that have id, time and version', () => {
    const unknown = { id: ID, updated_at: AT, version: 7, kind: 'nap', minutes: 20 }
    const newer = { ...page, changes: { entries: [unknown] } }
    expect(check(PullResponse, newer).ok).toBe(false)
    expect(check(ReceivedPull, newer)).toStrictEqual({ ok: true, value: newer })
    for (const wrong of [{ id: 'x' }, { version: -1 }, { updated_at: '2026-11-21T09:30:00+01:00' }]) {
      expect(matches(ReceivedPull, { ...page, changes: { entries: [{ ...unknown, ...wrong }] } })).toBe(false)
    }
  })

  test('[D7.7] a client does not read a response whose server time leaves no room for corrected times', () => {
    expect(matches(ReceivedPull, { ...page, server_time: '9999-12-31T23:59:59.999Z' })).toBe(false)
    expect(matches(ReceivedPush, { server_time: '9999-12-31T23:59:59.999Z', results: [] })).toBe(false)
  })

  test('[D7.7] a client reads a push result only with id, time and version', () => {
    const stamp = { id: ID, updated_at: AT, version: 9 }
    const isRead = (result: object) => matches(ReceivedPush, { server_time: AT, results: [result] })
    expect(isRead({ status: 'superseded', ...stamp, record: { ...stamp, kind: 'nap' } })).toBe(true)
    expect(isRead({ status: 'rejected' })).toBe(true)
    expect(isRead({ status: 'applied', id: ID })).toBe(false)
    expect(isRead({ status: 'superseded', ...stamp, record: { id: ID } })).toBe(false)
    expect(isRead({ status: 'lost', ...stamp })).toBe(false)
  })

  test('[D10.10] a client reads digests of the kinds that a service has', () => {
    const digests = { version: 7, tag: 'a1', kinds: { entries: { count: 1, digest: '0123456789abcdef' } } }
    expect(check(ReceivedDigest, digests)).toStrictEqual({ ok: true, value: digests })
    expect(check(DigestResponse, digests).ok).toBe(false)
  })

  test('[D6.3] a push answers each change with one of five states', () => {
    expect(pushStatuses).toStrictEqual(['applied', 'unchanged', 'superseded', 'skipped', 'rejected'])
    const result = { kind: 'entries', id: ID, status: 'superseded', version: 9, updated_at: AT, deleted: true }
    const response = { version: 9, server_time: AT, results: [result, { kind: null, id: null, status: 'rejected' }] }
    expect(check(PushResponse, response)).toStrictEqual({ ok: true, value: response })
    expect(check(PushResponse, { ...response, results: [{ ...result, status: 'lost' }] }).ok).toBe(false)
  })

  const summary = {
    closed_weeks_delta_ms: -5,
    adjustments_delta_ms: 7,
    balance_ms: 2,
    future_adjustments_delta_ms: 0,
    open_delta_ms: 0,
    projected_balance_ms: 2,
    last_closed_week: null,
    as_of: AT,
    time_zone: 'Europe/Berlin',
    recomputing: [{ from: '2026-01-01', to: '2026-12-31' }],
  }

  test('[R1.4] [R2.7] [D3.41] the balance summary has both deltas and the balance', () => {
    expect(check(BalanceSummary, summary)).toStrictEqual({ ok: true, value: summary })
    for (const field of ['closed_weeks_delta_ms', 'adjustments_delta_ms', 'balance_ms']) {
      const { [field]: _, ...rest } = summary as JsonObject
      const errors = [{ pointer: `/${field}`, detail: 'is missing' }]
      expect(check(BalanceSummary, rest)).toStrictEqual({ ok: false, errors })
    }
  })

  test('[D3.43] a day of the account is closed, open or outside', () => {
    const warnings = [{ code: 'overlapping_work', entry_ids: [ID] }]
    const day = {
      date: '2026-11-18',
      state: 'open',
      ended: true,
      time_zone: 'UTC',
      ...figures,
      settings_id: ID,
      warnings,
    }
    for (const state of ['closed', 'open', 'outside']) expect(check(AccountDay, { ...day, state }).ok).toBe(true)
    expect(check(AccountDay, { ...day, state: 'odd' }).ok).toBe(false)
  })
})

describe('limits', () => {
  test('[D1.3] [D5.3] [D6.2] the limits are those of the contract', () => {
    expect(wireLimits).toStrictEqual({
      pull_default: 5_000,
      pull_max: 10_000,
      push_changes: 1_000,
      push_bytes: 4 * 1024 * 1024,
      record_bytes: 64 * 1024,
    })
    expect(wireLimits.record_bytes).toBe(MAX_RECORD_BYTES)
  })
})

/** The structure of what goes over the wire: what is accepted and handed out, without words for people. */
const structure: ConversionConfig = {
  target: 'draft-2020-12',
  ignoreActions: ['raw_transform', 'transform', 'check', 'partial_check', 'description', 'title', 'examples'],
  overrideAction: ({ valibotAction, jsonSchema }) => {
    if (valibotAction.type === 'metadata') {
      const { description: _description, examples: _examples, title: _title, ...structural } = jsonSchema
      return structural
    }
    const { type, requirement } = valibotAction as { type: string; requirement?: unknown }
    const ofText = type === 'min_value' && typeof requirement === 'string'
    return ofText ? ({ ...jsonSchema, formatMinimum: requirement } as typeof jsonSchema) : undefined
  },
}

describe('the wire', () => {
  test('[D9.10] the wire schemas change only together with the protocol version', () => {
    const schemas = {
      ...recordSchemas,
      PullResponse,
      DigestResponse,
      PushRequest,
      PushChange,
      PushResponse,
      Problem,
      BalanceSummary,
      AccountDay,
    }
    const shapes = Object.entries(schemas).map(([name, schema]) => [name, toJsonSchema(schema, structure)])
    const hash = createHash('sha256')
      .update(JSON.stringify([PROTOCOL_VERSION, shapes]))
      .digest('hex')
    expect(
      hash,
      [
        `The wire schemas are no longer those of protocol version ${PROTOCOL_VERSION}.`,
        'If that was not meant, undo it: clients in the field rely on them.',
        'If it was: make sure that old clients and old services can work with it (the wire only grows; a breaking change',
        'gets a new path, D9.10), increase PROTOCOL_VERSION in packages/core/src/wire.ts, set PROTOCOL_HASH to the',
        'received hash, and describe the change in docs/protocol.md and CHANGELOG.md.',
      ].join('\n'),
    ).toBe(PROTOCOL_HASH)
  })
})
