import type { JsonObject } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { character } from '../../../../core/test/arbitraries.ts'
import { runsOf } from '../../../../core/test/tier.ts'
import type { RecordKey } from '../../../src/store/store.ts'
import { dateSpan } from '../../../src/store/stored-records.ts'
import { adjustment, closedDay, hourOf, idOf, live, uuidOf } from '../samples.ts'
import { type Contract, idsOf, markerOf, tagAt } from './kit.ts'

const MAX = Number.MAX_SAFE_INTEGER

/** That values come back as they went in, whatever the engine makes of texts and numbers. */
export function valuesContract(contract: Contract): void {
  const bodies = async (states: { fields: JsonObject; id: string }[]) => {
    const user = await contract.user()
    const stored = await contract.put(
      user,
      ...states.map(({ fields, id }) => ({ ...hourOf(1, id), fields: { ...hourOf(1, id).fields, ...fields } })),
    )
    const found = await contract.read(user, (reader) => reader.changesSince(0, MAX))
    expect(found.map(({ body }) => body)).toEqual(stored.map(({ body }) => body))
    return found.map(({ body }) => body)
  }

  test.each([
    ['astral and combining characters', '👩\u200d👩\u200d👧 e\u0301 \u00e9 ﷽ \u{10ffff}'],
    ['both directions', 'שלום \u202eabc\u202c עולם'],
    ['NUL', 'before\0after'],
    ['a lone surrogate', 'high \ud800, low \udfff'],
    ['control characters and line ends', '\u0001\t\r\n\u2028\u2029\u007f\u0085'],
    ['what SQL could read', `'; DROP TABLE records; -- $1 ? :a @b "c" \\`],
    ['what JSON could read', '","version":9,"x":"'],
    ['a byte order mark and non-characters', '\uFEFFa\uFFFE\uFFFF'],
    ['64 KiB', 'ü'.repeat(32_768)],
  ])('[D1.11] text is stored exactly: %s', async (_, text) => {
    const id = uuidOf(text)
    const [body] = await bodies([{ id, fields: { note: text, [text]: [text] } }])
    const read = JSON.parse(body ?? '')
    expect(read.note).toBe(text)
    expect(read[text]).toEqual([text])
    expect(read.version).toBe(1)
  })

  test('[D1.2] rows come back as inserted, few and many at once, and replace those with their key', async () => {
    const user = await contract.user()
    const insert = {
      into: 'jobs (user_id, id, due_ms, task)',
      types: ['BIGINT', 'TEXT', 'BIGINT', 'TEXT'] as const,
      onConflict: 'ON CONFLICT (user_id, id) DO UPDATE SET due_ms = excluded.due_ms, task = excluded.task',
    }
    const select = 'SELECT id, due_ms, task FROM jobs WHERE user_id = $1 ORDER BY id'
    // Up to 16 rows are listed, and more are arrays.
    for (const count of [0, 1, 16, 17]) {
      const rows = Array.from({ length: count }, (_, row) => [
        user,
        `${row + 10}`,
        MAX - row,
        `{"a\\":[${count},null]}`,
      ])
      await contract.driver.write((sql) => sql.insertEach(insert, rows))
      const stored = await contract.driver.all<{ id: string; due_ms: number; task: string }>(select, [user])
      expect(stored.map(({ id, due_ms, task }) => [user, id, due_ms, task])).toEqual(rows)
    }
  })

  test('[D2.18] settings with the most rules and the longest numbers are stored and read', async () => {
    const user = await contract.user()
    const rule = { worked_above_ms: MAX, required_ms: MAX }
    const policy = { rules: Array.from({ length: 20 }, () => rule), min_piece_ms: MAX }
    const autoClose = { day_after_ms: MAX, week_after_days: MAX }
    const rest = { time_zone: 'America/Argentina/ComodRivadavia', target_ms: Array(7).fill(MAX), auto_close: autoClose }
    const content = { effective_from: '2026-01-01', break_policy: policy, holidays: null, ...rest }
    await contract.put(user, live('settings_history', 'largest', content))
    const [row] = await contract.read(user, (reader) => reader.settingsRows())
    expect(row).toEqual({ id: idOf('largest'), ...content })
  })

  test('[D1.2] any JSON with unknown fields is stored exactly', async () => {
    const anyFields = fc.dictionary(
      fc.string({ unit: character }).filter((key) => !(key in hourOf(1).fields) && key !== 'version'),
      fc.jsonValue({ stringUnit: character }),
    ) as fc.Arbitrary<JsonObject>
    await fc.assert(
      fc.asyncProperty(fc.array(anyFields, { minLength: 1, maxLength: 8 }), async (records) => {
        const states = records.map((fields, index) => ({ id: uuidOf(index), fields }))
        const expected = states.map(({ id, fields }, index) =>
          JSON.stringify({ ...hourOf(1, id).fields, ...fields, version: index + 1 }),
        )
        expect(await bodies(states)).toEqual(expected)
      }),
      { numRuns: runsOf(20, 60) },
    )
  })

  test('[D6.14] claims are stored apart from the record’s JSON', async () => {
    const user = await contract.user()
    const claims = { [uuidOf('device')]: MAX, [uuidOf('other')]: 0, 'odd "key" 👍': 17 }
    const state = { ...hourOf(1), claims }
    await contract.put(user, state, hourOf(2))
    const [found, without] = await contract.read(user, (reader) => reader.changesSince(0, 10))
    expect(found?.claims).toEqual(claims)
    expect(without?.claims).toEqual({})
    expect(JSON.parse(found?.body ?? '')).toEqual({ ...state.fields, version: 1 })
    for (const later of [{ [uuidOf('device')]: 1 }, {}]) {
      await contract.put(user, { ...state, claims: later })
      expect((await contract.read(user, (reader) => reader.find([state])))[0]?.claims).toEqual(later)
    }
  })

  test('[D1.8] deltas up to 2^53 − 1 and their sums are exact', async () => {
    const user = await contract.user()
    const day = { from: Date.parse('2026-11-20'), to: Date.parse('2026-11-21') }
    const sumOf = () => contract.read(user, (reader) => reader.sumDeltas('balance_adjustments', day))
    await contract.put(user, adjustment(uuidOf('most'), '2026-11-20', MAX))
    expect(await sumOf()).toEqual({ sum: MAX, absolute: MAX })
    await contract.put(user, adjustment(uuidOf('most'), '2026-11-20', -MAX))
    expect(await sumOf()).toEqual({ sum: -MAX, absolute: MAX })
    await contract.put(
      user,
      adjustment(uuidOf('most'), '2026-11-20', 2 ** 52 + 1),
      adjustment(uuidOf('less'), '2026-11-20', -(2 ** 51 + 1)),
    )
    expect(await sumOf()).toEqual({ sum: 2 ** 51, absolute: 2 ** 52 + 2 ** 51 + 2 })
    const [found] = await contract.read(user, (reader) => reader.overlapping('balance_adjustments', dateSpan({})))
    expect(JSON.parse(found?.body ?? '').delta_ms).toBeTypeOf('number')
  })

  test('[D1.17] versions up to 2^53 − 1 are exact', async () => {
    const user = await contract.user()
    await contract.driver.write((sql) =>
      sql.run('UPDATE counters SET version = $2 WHERE user_id = $1', [user, MAX - 3]),
    )
    const stored = await contract.put(user, hourOf(1), hourOf(2), hourOf(3))
    expect(stored.map(({ version }) => version)).toEqual([MAX - 2, MAX - 1, MAX])
    await contract.read(user, async (reader) => {
      expect((await reader.position()).version).toBe(MAX)
      const found = await reader.changesSince(MAX - 2, 10)
      expect(found.map(({ version }) => version)).toEqual([MAX - 1, MAX])
      expect(found.map(({ body }) => JSON.parse(body).version)).toEqual([MAX - 1, MAX])
      expect(await tagAt(reader, MAX)).toBe(found[1]?.tag)
      expect(await reader.changesSince(MAX, 10)).toEqual([])
    })
    await contract.records.write(user, (writer) => writer.prune(MAX))
    expect((await contract.read(user, (reader) => markerOf(reader)))?.version).toBe(MAX)
  })

  test('numbers are numbers and truths are truths', async () => {
    const user = await contract.user()
    await contract.put(user, hourOf(1), closedDay(uuidOf('day'), '2026-11-20', -5))
    const task = { kind: 'auto_close', dayFrom: '2026-01-01', weekFrom: '2025-12-29' } as const
    await contract.records.write(user, (writer) => writer.putJob({ id: 'late', dueMs: MAX, task }))
    const everything = { from: -MAX, to: MAX }
    await contract.read(user, async (reader) => {
      expect(await reader.count('entries', everything)).toBe(1)
      expect(await reader.count('closed_weeks', everything)).toBe(0)
      expect(await reader.sumDeltas('closed_days', everything)).toEqual({ sum: -5, absolute: 5 })
      expect(await reader.sumDeltas('closed_weeks', everything)).toEqual({ sum: 0, absolute: 0 })
      expect((await reader.jobs())[0]?.dueMs).toBe(MAX)
      const [record] = await reader.find([{ kind: 'entries', id: uuidOf(1) }])
      expect(record?.deleted).toBe(false)
      expect(record?.version).toBeTypeOf('number')
    })
    const [row] = await contract.log(user)
    expect(row?.logged_at).toBe(contract.clock.now())
  })

  test('[D5.8] the snapshot is in the byte order of kind and id, not in that of a locale', async () => {
    const user = await contract.user()
    // A locale puts a, ä, Z and - elsewhere; UTF-16 puts 😀 before ～.
    const ids = ['a', 'Z', 'ä', 'z', '-', '_', '0', '9', 'a-b', 'ab', 'a b', 'É', 'e', '～', '😀', 'ｚ', 'ı', 'I', 'i']
    await contract.put(user, ...ids.flatMap((id) => [hourOf(1, id), closedDay(id, '2026-11-20', 1)]))
    const found = await contract.read(user, (reader) => reader.snapshot(undefined, 100))
    const byBytes = ids.toSorted((a, b) => Buffer.compare(Buffer.from(idOf(a)), Buffer.from(idOf(b))))
    expect(idsOf(found)).toEqual([...byBytes, ...byBytes])
    expect(found[0]?.kind).toBe('closed_days')
    // Page by page, each border between two such ids is crossed once.
    const paged: RecordKey[] = []
    for (;;) {
      const page = await contract.read(user, (reader) => reader.snapshot(paged.at(-1), 1))
      if (page.length === 0) break
      paged.push(...page)
    }
    expect(idsOf(paged)).toEqual(idsOf(found))
    // Entries of one start: the id decides, in the same order.
    expect(idsOf(await contract.read(user, (reader) => reader.overlapping('entries', dateSpan({}))))).toEqual(byBytes)
    const first = await contract.read(user, (reader) =>
      reader.overlapping('entries', { from: 0, to: MAX }, { limit: 2 }),
    )
    expect(idsOf(first)).toEqual(byBytes.slice(0, 2))
  })

  test('ids that differ only in case, accent or composition are different records', async () => {
    const user = await contract.user()
    const ids = ['id', 'ID', '\u0130D', '\u00e9', 'e\u0301', 'e', 'ß', 'ss', 'id ', ' id']
    await contract.put(user, ...ids.map((id) => live('settings_history', id, { effective_from: '2026-01-01' })))
    const found = await contract.read(user, (reader) =>
      reader.find(ids.map((name) => ({ kind: 'settings_history' as const, id: idOf(name) }))),
    )
    expect(new Set(idsOf(found))).toEqual(new Set(ids))
    expect(found).toHaveLength(ids.length)
  })
}
