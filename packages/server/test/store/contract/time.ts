import { addDays, DAY_MS, type LocalDate, type UserNumber, utcMidnight } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsOf } from '../../../../core/test/tier.ts'
import { LONG_MS } from '../../../src/store/records/rows.ts'
import type { EntrySpan, RecordToStore, StoredRecord, TimeKey } from '../../../src/store/store.ts'
import { dateSpan } from '../../../src/store/stored-records.ts'
import {
  adjustment,
  closedDay,
  closedWeek,
  entry,
  hourOf,
  idOf,
  live,
  nameOf,
  settings,
  tombstone,
  uuidOf,
} from '../samples.ts'
import { type Contract, idsOf } from './kit.ts'

/** A record as a naive reader sees it: from when to when. */
interface Stretch {
  id: string
  startsMs: number
  /** Infinity while it runs. */
  endsMs: number
}

const MIDNIGHT = utcMidnight('2026-03-01')
/** Round numbers on which borders meet, so that equal ones are common. */
const gridMs = DAY_MS / 4

/** Finding records by when they were. */
export function timeContract(contract: Contract): void {
  const start = fc
    .tuple(
      fc.integer({ min: -20, max: 20 }),
      fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(LONG_MS) }),
    )
    .map(([steps, earlierMs]) => MIDNIGHT - earlierMs + steps * gridMs)
  const length = fc.oneof(
    { weight: 2, arbitrary: fc.constant(0) },
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 6 }).map((steps) => steps * gridMs) },
    { weight: 2, arbitrary: fc.constantFrom(DAY_MS - 1, DAY_MS, DAY_MS + 1, 1) },
    // Just below, at and above the length where the store changes from one index to the other.
    { weight: 2, arbitrary: fc.constantFrom(LONG_MS - 1, LONG_MS, LONG_MS + 1, LONG_MS + gridMs) },
    { weight: 2, arbitrary: fc.integer({ min: 8, max: 60 }).map((steps) => steps * gridMs) },
    { weight: 2, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
  )
  const stretches = fc
    .array(fc.tuple(start, length), { maxLength: 25 })
    .map((drawn): Stretch[] =>
      drawn.map(([startsMs, lengthMs], index) => ({ id: uuidOf(index), startsMs, endsMs: startsMs + lengthMs })),
    )
  const span = fc
    .tuple(fc.integer({ min: -30, max: 30 }), fc.integer({ min: 0, max: 30 }), fc.constantFrom(-1, 0, 0, 0, 1))
    .map(([steps, more, shift]): EntrySpan => {
      const from = MIDNIGHT + steps * gridMs + shift
      return { from, to: from + more * gridMs }
    })

  test('meeting gives what a look at every record gives, whole and in pages of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        stretches,
        fc.array(span, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 7 }),
        async (records, spans, limit) => {
          const user = await contract.user()
          await contract.put(user, ...records.map(stateOf))
          for (const span of spans) {
            const expected = meetingNaively(records, span)
            expect(idsOf(await contract.read(user, (reader) => reader.overlapping('entries', span)))).toEqual(expected)
            expect(idsOf(await meetingInPages(user, span, limit))).toEqual(expected)
            const brief = await contract.read(user, (reader) => reader.accountEntries(span))
            expect(brief).toEqual(expected.map((id) => briefly(records.find((record) => record.id === id) as Stretch)))
            const beginning = records.filter(({ startsMs }) => startsMs >= span.from && startsMs < span.to)
            expect(await contract.read(user, (reader) => reader.count('entries', span))).toBe(beginning.length)
            const starts = beginning.map(({ startsMs }) => startsMs).toSorted((a, b) => b - a)
            const latest = await contract.read(user, (reader) => reader.startOfLatest('entries', span, limit))
            expect(latest).toBe(starts[limit - 1])
            const counted = await contract.read(user, (reader) => reader.count('entries', span, limit))
            expect(counted).toBe(Math.min(beginning.length, limit))
          }
          const days = Map.groupBy(records, ({ startsMs }) => Math.floor(startsMs / DAY_MS))
          const expected = [...days].map(([day, { length }]) => ({ day, entries: length, absences: 0 }))
          expect(await contract.read(user, (reader) => reader.countOnDays([...days.keys()]))).toEqual(expected)
          const running = records.filter(({ endsMs }) => endsMs === Number.POSITIVE_INFINITY).length
          for (const most of [1, 99]) {
            const counted = await contract.read(user, (reader) => reader.countRunning(most))
            expect(counted).toBe(Math.min(running, most))
          }
        },
      ),
      { numRuns: runsOf(20, 150) },
    )
  })

  async function meetingInPages(user: UserNumber, span: EntrySpan, limit: number, between?: () => Promise<unknown>) {
    const pages: StoredRecord[] = []
    let after: TimeKey | undefined
    for (;;) {
      const page = await contract.read(user, (reader) => reader.overlapping('entries', span, { after, limit }))
      const last = page.at(-1)
      if (!last) return pages
      expect(page.length).toBeLessThanOrEqual(limit)
      pages.push(...page)
      after = { startsMs: Date.parse(JSON.parse(last.body).started_at), id: last.id }
      await between?.()
    }
  }

  test('[D9.4] a record that stays is in the pages once, in order, whatever is written between them', async () => {
    await fc.assert(
      fc.asyncProperty(
        stretches,
        fc.array(fc.tuple(fc.nat(24), start, length, fc.boolean()), { maxLength: 12 }),
        span,
        fc.integer({ min: 1, max: 4 }),
        async (records, edits, span, limit) => {
          const user = await contract.user()
          await contract.put(user, ...records.map(stateOf))
          const waiting = [...edits]
          const touched = new Set<string>(edits.map(([number]) => uuidOf(number)))
          const pages = await meetingInPages(user, span, limit, async () => {
            const [edit] = waiting.splice(0, 1)
            if (!edit) return
            const [number, startsMs, lengthMs, dies] = edit
            const id = uuidOf(number)
            await contract.put(
              user,
              dies ? tombstone('entries', id) : stateOf({ id, startsMs, endsMs: startsMs + lengthMs }),
            )
          })
          const steady = meetingNaively(records, span).filter((id) => !touched.has(id))
          expect(idsOf(pages).filter((id) => !touched.has(id))).toEqual(steady)
        },
      ),
      { numRuns: runsOf(25, 80) },
    )
  })

  test('a span includes its start and not its end; what ends at its start does not meet it', async () => {
    const user = await contract.user()
    const at = (steps: number) => MIDNIGHT + steps * gridMs
    await contract.put(
      user,
      entry('ends at the start', at(-1), at(0)),
      entry('empty at the start', at(0), at(0)),
      entry('ends just inside', at(-1), at(0) + 1),
      entry('around', at(-9), at(9)),
      entry('inside', at(1), at(2)),
      entry('empty inside', at(1), at(1)),
      entry('starts just inside', at(4) - 1, at(5)),
      entry('starts at the end', at(4), at(5)),
      entry('empty at the end', at(4), at(4)),
      entry('runs since long ago', utcMidnight('1999-01-01'), null),
      entry('begins to run at the end', at(4), null),
      live('entries', 'a day off', { kind: 'vacation', date: '2026-03-01', day_share: 1, amount_ms: null }),
      live('entries', 'another day off', { kind: 'sick', date: '2026-03-02', day_share: null, amount_ms: 5_400_000 }),
    )
    const day = { from: at(0), to: at(4) }
    expect(new Set(idsOf(await contract.read(user, (reader) => reader.overlapping('entries', day))))).toEqual(
      new Set([
        'empty at the start',
        'ends just inside',
        'around',
        'inside',
        'empty inside',
        'starts just inside',
        'runs since long ago',
        'a day off',
      ]),
    )
  })

  test('[D2.28] a record that began as long before a span as the longest common ones last is found once', async () => {
    const user = await contract.user()
    const from = MIDNIGHT
    const begins = [-1, 0, 1].map((ms) => from - LONG_MS + ms)
    const lengths = [LONG_MS - 1, LONG_MS, LONG_MS + 1, LONG_MS + 2, Number.POSITIVE_INFINITY]
    const all = begins.flatMap((startsMs, at) =>
      lengths.map((lengthMs, index) => ({ id: uuidOf(10 * at + index), startsMs, endsMs: startsMs + lengthMs })),
    )
    await contract.put(user, ...all.map(stateOf))
    const span = { from, to: from + DAY_MS }
    const expected = meetingNaively(all, span)
    expect(expected).toHaveLength(9)
    expect(idsOf(await contract.read(user, (reader) => reader.overlapping('entries', span)))).toEqual(expected)
    expect((await contract.read(user, (reader) => reader.accountEntries(span))).map(({ id }) => id)).toEqual(expected)
  })

  test('[D3.62] the account reads no work that does not count, which is found like other entries', async () => {
    const user = await contract.user()
    const at = (steps: number) => MIDNIGHT + steps * gridMs
    await contract.put(
      user,
      entry('counts', at(1), at(2)),
      entry('does not count', at(1), at(3), { counts: false }),
      entry('runs and does not count', at(2), null, { counts: false }),
    )
    const day = { from: at(0), to: at(4) }
    const found = idsOf(await contract.read(user, (reader) => reader.overlapping('entries', day)))
    expect(found).toEqual(['counts', 'does not count', 'runs and does not count'])
    const read = await contract.read(user, (reader) => reader.accountEntries(day))
    expect(read.map(({ id }) => nameOf(id))).toEqual(['counts'])
  })

  test('[D26.1] requests are found by their first date, and the account reads none', async () => {
    const user = await contract.user()
    const requestOn = (name: string, date: LocalDate, last_date = date) => {
      const asked = { kind: 'request', asks: 'absence', absence: 'vacation', day_share: 1, amount_ms: null }
      return live('entries', name, { ...asked, date, last_date })
    }
    await contract.put(
      user,
      requestOn('asked', '2026-03-02', '2026-03-10'),
      requestOn('asked later', '2026-03-05'),
      requestOn('next year', '2027-03-05'),
      entry('work', utcMidnight('2026-03-02'), utcMidnight('2026-03-02') + gridMs),
    )
    const march = dateSpan({ from: '2026-03-01', to: '2026-03-31' })
    const requests = async (limit: number) =>
      (await contract.read(user, (reader) => Array.fromAsync(reader.requests(march, limit)))).flat()
    expect(idsOf(await requests(9))).toEqual(['asked later', 'asked'])
    expect(idsOf(await requests(1))).toEqual(['asked later'])
    const many = Array.from({ length: 30 }, (_, index) => requestOn(`many ${index + 10}`, '2026-03-04'))
    await contract.put(user, ...many)
    const pieces = await contract.read(user, (reader) => Array.fromAsync(reader.requests(march, 25)))
    expect(pieces.map((piece) => piece.length)).toEqual([20, 5])
    expect(idsOf(pieces.flat())).toEqual([
      'asked later',
      ...Array.from({ length: 24 }, (_, index) => `many ${index + 10}`),
    ])
    const characters = await contract.read(user, (reader) => reader.requestCharacters())
    expect(characters).toBeGreaterThan(33 * 100)
    const read = await contract.read(user, (reader) => reader.accountEntries(march))
    expect(read.map(({ id }) => nameOf(id))).toEqual(['work'])
    const on = dateSpan({ from: '2026-03-10', to: '2026-03-10' })
    expect(idsOf(await contract.read(user, (reader) => reader.overlapping('entries', on)))).toEqual(['asked'])
  })

  test('a record that moves, grows or ends is found where it now is, and only there', async () => {
    const user = await contract.user()
    const id = uuidOf('moving')
    const meets = async (date: LocalDate) => {
      const from = utcMidnight(date)
      return (await contract.read(user, (reader) => reader.overlapping('entries', { from, to: from + DAY_MS }))).length
    }
    const day = (number: number) => addDays('2026-03-01', number)
    const shapes: [number, number | null, number[]][] = [
      [0, 1, [0]],
      [2, null, [2, 3, 4, 9]],
      [2, 3, [2]],
      [1, 8, [1, 2, 3, 4]],
      [4, 4, [4]],
      [9, 10, [9]],
    ]
    for (const [from, to, days] of shapes) {
      await contract.put(user, entry(id, utcMidnight(day(from)), to === null ? null : utcMidnight(day(to))))
      for (const number of [0, 1, 2, 3, 4, 9]) {
        expect(await meets(day(number)), `day ${number} of ${from}–${to}`).toBe(days.includes(number) ? 1 : 0)
      }
    }
    await contract.put(user, tombstone('entries', id))
    expect(await meets(day(9))).toBe(0)
  })

  test('records of dates lie on their day, weeks on their Monday', async () => {
    const user = await contract.user()
    await contract.put(
      user,
      adjustment('adjustment', '2026-03-02', 5),
      settings('settings', '2026-03-02'),
      closedDay('day', '2026-03-02', 6),
      closedWeek('week', '2026-W10', '2026-03-02', 7),
    )
    for (const [kind, id] of [
      ['balance_adjustments', 'adjustment'],
      ['settings_history', 'settings'],
      ['closed_days', 'day'],
      ['closed_weeks', 'week'],
    ] as const) {
      for (const [date, expected] of [
        ['2026-03-01', []],
        ['2026-03-02', [id]],
        ['2026-03-03', []],
      ] as const) {
        const from = utcMidnight(date)
        const found = await contract.read(user, (reader) => reader.overlapping(kind, { from, to: from + DAY_MS }))
        expect(idsOf(found), `${kind} on ${date}`).toEqual(expected)
      }
    }
  })

  test('[D1.6] the first and the last date and instant are found', async () => {
    const user = await contract.user()
    await contract.put(
      user,
      closedDay('first', '0001-01-01', 1),
      closedDay('last', '9999-12-31', 2),
      entry('first', Date.parse('0001-01-01T00:00:00.000Z'), null),
      entry('last', Date.parse('9999-12-31T23:59:59.999Z'), Date.parse('9999-12-31T23:59:59.999Z')),
    )
    const all = { from: utcMidnight('0001-01-01'), to: utcMidnight('9999-12-31') + DAY_MS }
    await contract.read(user, async (reader) => {
      expect(idsOf(await reader.overlapping('closed_days', all))).toEqual(['first', 'last'])
      expect(idsOf(await reader.overlapping('entries', all))).toEqual(['first', 'last'])
      expect(await reader.sumDeltas('closed_days', all)).toEqual({ sum: 3, absolute: 3 })
      expect((await Array.fromAsync(reader.deltas('closed_days', all))).flat()).toEqual([
        { id: idOf('first'), date: '0001-01-01', deltaMs: 1 },
        { id: idOf('last'), date: '9999-12-31', deltaMs: 2 },
      ])
      expect(idsOf(await reader.overlapping('closed_days', dateSpan({})))).toEqual(['first', 'last'])
      const lastDay = { from: utcMidnight('9999-12-31'), to: all.to }
      expect(idsOf(await reader.overlapping('entries', lastDay))).toEqual(['first', 'last'])
    })
  })

  test('deltas come in order of their dates, then ids, in pieces, without those of tombstones', async () => {
    const user = await contract.user()
    const names = Array.from({ length: 2_100 }, (_, index) => String(index).padStart(4, '0'))
    await contract.put(user, ...names.map((name, index) => adjustment(name, '2026-01-01', index + 1)))
    await contract.put(user, tombstone('balance_adjustments', '0000'))
    const [first = [], ...others] = await contract.read(user, (reader) =>
      Array.fromAsync(reader.deltas('balance_adjustments', dateSpan({}))),
    )
    expect(first.length).toBe(2_000)
    const expected = names.map((name, index) => ({ id: idOf(name), date: '2026-01-01', deltaMs: index + 1 })).slice(1)
    expect([...first, ...others.flat()]).toEqual(expected)
  })

  test('live gives all of a kind in order of their start, then id', async () => {
    const user = await contract.user()
    const same = ['c', 'a', 'b'].map((id) => hourOf(5, id))
    await contract.put(user, hourOf(9, 'last'), ...same, hourOf(1, 'first'), adjustment('other', '2020-01-02', 1))
    const expected = ['first', 'a', 'b', 'c', 'last']
    expect(idsOf(await contract.read(user, (reader) => reader.overlapping('entries', dateSpan({}))))).toEqual(expected)
  })

  test('[D2.42] days are counted with their absences, whatever their number', async () => {
    const user = await contract.user()
    const untimed = [
      { kind: 'request', date: '1969-12-31', last_date: '1969-12-31' },
      { kind: 'vacation_grant', date: '1970-01-01', days: 1 },
      { kind: 'sick', date: '1970-01-01', day_share: 1, amount_ms: null },
    ]
    const works = ['work', 'break'].map((kind) => entry(kind, 0, 1, { kind }))
    await contract.put(user, ...untimed.map((fields) => live('entries', fields.kind, fields)), ...works)
    const days = Array.from({ length: 50 }, (_, index) => index - 25)
    const counts = await contract.read(user, (reader) => reader.countOnDays(days))
    expect(counts.map(({ day }) => day)).toEqual(days)
    expect(counts.filter(({ entries }) => entries > 0)).toEqual([
      { day: -1, entries: 1, absences: 0 },
      { day: 0, entries: 4, absences: 2 },
    ])
  })

  test('[D2.30] [D2.31] counts and settings rows leave out other kinds, other users and deleted records', async () => {
    const [user, other] = [await contract.user(), await contract.user()]
    // Deleted records lie at the beginning of 1970.
    const day = '1970-01-01'
    await contract.put(user, entry('gone', 0, 1), entry('entry', 0, 1), adjustment('adjustment', day, 5))
    await contract.put(user, settings('gone', day), settings('own row', day))
    await contract.put(user, tombstone('entries', 'gone'), tombstone('settings_history', 'gone'))
    await contract.put(other, settings('row of another', day), entry('entry of another', 0, 1))
    await contract.read(user, async (reader) => {
      const span = { from: utcMidnight(day), to: utcMidnight('1970-01-02') }
      expect(await reader.count('entries', span)).toBe(1)
      expect(await reader.countOnDays([0])).toEqual([{ day: 0, entries: 1, absences: 0 }])
      expect(await reader.count('settings_history', dateSpan({}))).toBe(1)
      expect((await reader.settingsRows()).map(({ id }) => nameOf(id))).toEqual(['own row'])
    })
  })

  test('[R1.4] sums and counts are those of the live records that begin in the span', async () => {
    const amount = fc.integer({ min: -1_000_000, max: 1_000_000 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(15), fc.nat(10), amount, fc.boolean()), { maxLength: 30 }),
        fc.nat(10),
        fc.nat(11),
        async (drawn, first, days) => {
          const user = await contract.user()
          const standing = new Map<string, { date: string; delta: number }>()
          const states = drawn.map(([number, day, delta, dies]): RecordToStore => {
            const id = uuidOf(number)
            const date = addDays('2026-03-01', day)
            if (dies) standing.delete(id)
            else standing.set(id, { date, delta })
            return dies ? tombstone('closed_days', id) : closedDay(id, date, delta)
          })
          await contract.put(user, ...states)
          const from = addDays('2026-03-01', first)
          const to = addDays(from, days)
          const span = { from: utcMidnight(from), to: utcMidnight(to) }
          const inside = [...standing.values()].filter(({ date }) => date >= from && date < to)
          await contract.read(user, async (reader) => {
            expect(await reader.count('closed_days', span)).toBe(inside.length)
            expect(await reader.sumDeltas('closed_days', span)).toEqual({
              sum: inside.reduce((sum, { delta }) => sum + delta, 0),
              absolute: inside.reduce((sum, { delta }) => sum + Math.abs(delta), 0),
            })
          })
        },
      ),
      { numRuns: runsOf(20, 60) },
    )
  })
}

function stateOf({ id, startsMs, endsMs }: Stretch): RecordToStore {
  return entry(id, startsMs, endsMs === Number.POSITIVE_INFINITY ? null : endsMs)
}

/** Returns the fields that the account reads. */
function briefly({ id, startsMs, endsMs }: Stretch) {
  return { id, kind: 'work', start: startsMs, end: Number.isFinite(endsMs) ? endsMs : null }
}

/** Returns the ids of what meets a span, by looking at every record: it begins inside, or reaches into it. */
function meetingNaively(records: readonly Stretch[], { from, to }: EntrySpan): string[] {
  return records
    .filter(({ startsMs, endsMs }) => startsMs < to && (startsMs >= from || endsMs > from))
    .toSorted((a, b) => a.startsMs - b.startsMs || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id)
}
