import type { EntryMutation } from '@saldo/client/entries'
import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import {
  buildTimeline,
  dayWarnings,
  type Entry,
  HOUR_MS,
  identifiedEntriesOf,
  instantOf,
  sizeOfAmount,
} from '@saldo/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { subjectOfWarning, warningsOf } from './entry-warnings.ts'

const DATE = '2026-11-20'
const MIDNIGHT_MS = Date.parse('2026-11-19T23:00:00Z')
const at = (hours: number) => MIDNIGHT_MS + hours * HOUR_MS
const timeline = buildTimeline([aSettingsRow()])
const odditiesIn = (entries: Entry[]) => warningsOf(entries, timeline, DATE)

function mended(entries: readonly Entry[], changes: readonly EntryMutation[]): Entry[] {
  return entries.flatMap((entry) => {
    const change = changes.find((other) => other.op !== 'create' && other.record.id === entry.id)
    if (change?.op === 'delete') return []
    return change?.op === 'update' ? [Object.assign({}, entry, change.patch)] : [entry]
  })
}

describe('warnings', () => {
  test('the fix of an overlap ends the earlier entry at the start of the later one', () => {
    const [a, b] = [aWork(at(8), at(12)), aWork(at(11), at(14))]
    expect(odditiesIn([a, b])).toEqual([
      {
        kind: 'overlap',
        entryIds: [a.id, b.id],
        amount: HOUR_MS,
        fix: [{ op: 'update', record: a, patch: { ended_at: instantOf(at(11)) } }],
      },
    ])
  })

  test('the fix of an entry within another deletes it', () => {
    const [a, b] = [aWork(at(8), at(12)), aWork(at(9), at(10))]
    expect(odditiesIn([a, b])).toMatchObject([{ kind: 'within', fix: [{ op: 'delete', record: b }] }])
    const c = aWork(at(11), at(12))
    expect(odditiesIn([a, c])).toMatchObject([{ kind: 'within', fix: [{ op: 'delete', record: c }] }])
  })

  test('the fix of absences beyond a day deletes all those for which no share is left', () => {
    const [first, second, third] = [1, 0.5, 0.5].map((share) => anAbsence('vacation', DATE, share))
    expect(odditiesIn([first, second, third] as Entry[])).toMatchObject([
      {
        kind: 'beyondDay',
        fix: [
          { op: 'delete', record: second },
          { op: 'delete', record: third },
        ],
      },
    ])
  })

  test('the fix of several running timers keeps the newest one running', () => {
    const [a, b] = [aWork(at(8), null), aWork(at(9), null)]
    expect(odditiesIn([a, b])).toMatchObject([
      { kind: 'severalRunning', fix: [{ record: a, patch: { ended_at: instantOf(at(9)) } }] },
    ])
  })

  test('a very long entry has no fix; a running timer is no warning', () => {
    expect(odditiesIn([aWork(at(8), at(40))])).toMatchObject([{ kind: 'long', amount: 32 * HOUR_MS }])
    expect(odditiesIn([aWork(at(8), null)])).toEqual([])
  })

  test('of two entries with one start the fix deletes the shorter, whatever their order', () => {
    const [short, long] = [aWork(at(8), at(9)), aWork(at(8), at(12))]
    for (const entries of [
      [short, long],
      [long, short],
    ]) {
      expect(odditiesIn(entries)).toMatchObject([{ kind: 'within', amount: HOUR_MS, fix: [{ record: short }] }])
    }
  })

  test('an entry is held against the one before it that reaches farthest', () => {
    const [a, b, c] = [aWork(at(8), at(12)), aWork(at(9), at(10)), aWork(at(11), at(13))]
    expect(odditiesIn([a, b, c])).toMatchObject([
      { kind: 'within', entryIds: [a.id, b.id] },
      { kind: 'overlap', entryIds: [a.id, c.id], amount: HOUR_MS },
    ])
  })

  test('an entry that begins when another one ends does not overlap it', () => {
    const [a, b, c] = [aWork(at(8), at(12)), aWork(at(9), at(10)), aWork(at(12), at(13))]
    expect(odditiesIn([a, b, c]).map(({ entryIds }) => entryIds)).toEqual([[a.id, b.id]])
  })

  test('of two overlaps of a day, each is of its own entries', () => {
    const [a, b] = [aWork(at(8), at(12)), aWork(at(9), at(10))]
    const [c, d] = [aWork(at(12), at(14)), aWork(at(13), at(15))]
    expect(odditiesIn([a, b, c, d]).map(({ kind, entryIds }) => [kind, entryIds])).toEqual([
      ['within', [a.id, b.id]],
      ['overlap', [c.id, d.id]],
    ])
  })

  test('the fix of absences in hours beyond a day shortens the last one', () => {
    const hours = (count: number) => ({ ...anAbsence('vacation', DATE), ...sizeOfAmount(count * HOUR_MS) }) as Entry
    const [six, four] = [hours(6), hours(4)]
    expect(odditiesIn([six, four])).toMatchObject([
      { kind: 'beyondDay', amount: 1.25, fix: [{ op: 'update', record: four, patch: sizeOfAmount(2 * HOUR_MS) }] },
    ])
  })

  test('a warning names the entries that it is about', () => {
    const [long, unpaid, absent] = [aWork(at(8), at(40)), anAbsence('unpaid', DATE), anAbsence('vacation', DATE, 0.5)]
    expect(odditiesIn([long, unpaid, absent]).map(({ kind, entryIds, amount }) => [kind, entryIds, amount])).toEqual([
      ['long', [long.id], 32 * HOUR_MS],
      ['beyondDay', [unpaid.id, absent.id], 1.5],
    ])
  })

  test('no fix changes the time that work covers', () => {
    const span = fc.tuple(fc.nat(12), fc.option(fc.integer({ min: 1, max: 12 })))
    const nowMs = at(24)
    const coveredBy = (entries: readonly Entry[]) =>
      Array.from({ length: 24 * 4 }, (_, quarter) => at(quarter / 4)).filter((ms) =>
        entries.some(
          (entry) =>
            'started_at' in entry &&
            Date.parse(String(entry.started_at)) <= ms &&
            ms < (entry.ended_at === null ? nowMs : Date.parse(String(entry.ended_at))),
        ),
      )
    fc.assert(
      fc.property(fc.array(span, { maxLength: 5 }), (spans) => {
        const entries = spans.map(([start, length]) =>
          aWork(at(8 + start / 4), length === null ? null : at(8 + (start + length) / 4)),
        )
        for (const { fix } of odditiesIn(entries)) {
          if (fix) expect(coveredBy(mended(entries, fix))).toEqual(coveredBy(entries))
        }
      }),
    )
  })

  test('after all fixes no warning with a fix remains', () => {
    const work = fc
      .tuple(fc.nat(20 * 4), fc.integer({ min: 1, max: 16 }))
      .map(([start, length]) => aWork(at(start / 4), at((start + length) / 4)))
    const absence = fc.constantFrom(0.25, 0.5, 1).map((share) => anAbsence('vacation', DATE, share))
    fc.assert(
      fc.property(fc.array(fc.oneof(work, absence), { maxLength: 6 }), (entries) => {
        let left: Entry[] = entries
        for (let round = 0; round < 20; round += 1) {
          const [first] = odditiesIn(left)
          if (!first) break
          left = mended(left, first.fix ?? [])
        }
        expect(dayWarnings(identifiedEntriesOf(left), timeline, DATE)).toEqual([])
      }),
    )
  })
})

test('the subject of a warning is its first entry, with the starts of all that are timed, in order', () => {
  const [late, early, other] = [aWork(at(13), at(15)), aWork(at(9), at(14)), aWork(at(8), at(9))]
  const grant = { ...anAbsence('vacation', DATE), kind: 'vacation_grant', days: 2 } as unknown as Entry
  const day = anAbsence('sick', DATE)
  const subject = (entries: Entry[]) =>
    subjectOfWarning({ entryIds: entries.map(({ id }) => id) }, [...[grant, other, late, day, early]])
  expect(subject([late, early])).toEqual({ first: late, startsMs: [at(9), at(13)] })
  expect(subject([grant, day])).toEqual({ first: day, startsMs: [] })
  expect(subject([])).toEqual({ first: undefined, startsMs: [] })
})
