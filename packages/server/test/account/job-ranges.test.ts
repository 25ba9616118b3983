import { addDays, type DateRange, type LocalDate, type UserNumber } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { enqueueHolidays } from '../../src/account/enqueue-holidays.ts'
import { disjointRanges, joinToAtMost } from '../../src/account/job-ranges.ts'
import { openTemporary } from '../store/temporary.ts'

const START = '2026-11-21' as LocalDate

interface NamedRange extends DateRange {
  name: number
}

const anyRanges = fc
  .array(fc.tuple(fc.nat(40), fc.nat(8)), { maxLength: 14 })
  .map((spans) =>
    spans.map(
      ([day, length], name): NamedRange => ({ from: addDays(START, day), to: addDays(START, day + length), name }),
    ),
  )

/** Returns the name of each date that ranges have; of several, the last range's. */
function namesByDate(ranges: readonly NamedRange[]): Map<LocalDate, number> {
  const names = new Map<LocalDate, number>()
  for (const { from, to, name } of ranges) {
    for (let date = from; date <= to; date = addDays(date, 1)) names.set(date, name)
  }
  return names
}

const inOrder = (ranges: readonly DateRange[]) =>
  ranges.every(({ from, to }, index) => from <= to && (ranges[index + 1]?.from ?? addDays(to, 1)) > to)

test('[D3.56] the ranges of a job do not overlap, and each date has the last range that was given for it', () => {
  fc.assert(
    fc.property(anyRanges, (given) => {
      const ranges = disjointRanges(given)
      const wanted = namesByDate(given)
      expect(inOrder(ranges)).toBe(true)
      expect(namesByDate(ranges)).toEqual(wanted)
      // There are no more ranges than needed.
      const dates = [...wanted.keys()].sort()
      const begins = dates.filter((date) => wanted.get(addDays(date, -1)) !== wanted.get(date))
      expect(ranges.map(({ from }) => from)).toEqual(begins)
    }),
  )
})

test('[D3.56] ranges that are too many for a job are joined with their neighbours, and no date is lost', () => {
  fc.assert(
    fc.property(anyRanges, fc.integer({ min: 1, max: 6 }), (given, max) => {
      const ranges = disjointRanges(given)
      const joined = joinToAtMost(ranges, max)
      if (ranges.length <= max) expect(joined).toEqual(ranges)
      else expect(joined.length).toBeGreaterThan(max / 2)
      expect(joined.length).toBeLessThanOrEqual(max)
      expect(inOrder(joined)).toBe(true)
      const dates = namesByDate(joined)
      for (const date of namesByDate(ranges).keys()) expect(dates.has(date)).toBe(true)
      for (const { from, to, name } of joined) {
        expect(ranges).toContainEqual(expect.objectContaining({ from, name }))
        expect(ranges.map((range) => range.to)).toContain(to)
      }
    }),
  )
})

test('[D16.2] [D16.11] changes that are joined for the job forget the rules before, and lose no date', async () => {
  const { records, users } = await openTemporary()
  const added = await users.add({ email: 'a@example.com', passwordHash: 'none', at: '2026-02-02T12:00:00.000Z' })
  const user = added.outcome === 'added' ? added.user : (0 as UserNumber)
  const rule = { country: 'DE', state: 'BY', region: null, partial: {} }
  /** Rows of a week each, every other one with a rule. */
  const rows = (count: number) =>
    Array.from({ length: count }, (_, week) => ({
      id: `row ${week}`,
      effective_from: addDays(START, 7 * week),
      time_zone: 'UTC',
      target_ms: Array(7).fill(0),
      break_policy: null,
      auto_close: null,
      holidays: week % 2 === 0 ? rule : null,
    }))
  const rangesAfter = (count: number) =>
    records.write(user, async (writer) => {
      await enqueueHolidays(writer, [], [], rows(count) as never)
      const [job] = await writer.jobs()
      await writer.deleteJob('holidays')
      return job?.task.kind === 'holidays' ? job.task.ranges : []
    })
  const apart = await rangesAfter(2 * 500)
  expect(apart).toHaveLength(500)
  expect(apart[1]).toEqual({ from: addDays(START, 14), to: addDays(START, 20), before: null })
  const joined = await rangesAfter(2 * 501)
  expect(joined).toHaveLength(251)
  expect(joined[1]).toEqual({ from: addDays(START, 28), to: addDays(START, 48) })
  expect(joined.at(-1)).toEqual({ from: addDays(START, 7_000), to: addDays(START, 7_006) })
})
