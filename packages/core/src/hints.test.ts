import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFixture } from '../test/fixtures.ts'
import { naiveHints } from '../test/naive-hints.ts'
import { runsOf } from '../test/tier.ts'
import { parseDelta } from './delta.ts'
import { dayHints, type HintSettings, longestDayReachedAt, statutoryBreaks, weekHint, weeksOfHint } from './hints.ts'
import { parseContent } from './record.ts'
import { buildTimeline } from './timeline.ts'
import { DAY_MS, HOUR_MS, type LocalDate, MINUTE_MS } from './values.ts'

interface Vectors {
  hints: {
    cases: {
      name: string
      settings: Partial<HintSettings>
      date: LocalDate
      entries: object[]
      hints: { code: string; amount: string }[]
    }[]
    weeks: {
      name: string
      country: 'de' | 'at' | 'ch'
      worked: string[]
      hint: { average: string; weeks: number; limit: string } | null
    }[]
    reached: { country: HintSettings['hints']; worked: string; reached_after: string | null }[]
  }
}
const { cases, weeks, reached } = readFixture<Vectors['hints']>('hints')

const row: HintSettings = {
  id: '00000000-0000-4000-8000-000000000001',
  effective_from: '2026-01-01',
  time_zone: 'Europe/Berlin',
  target_ms: [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * HOUR_MS),
  break_policy: null,
  auto_close: null,
  hints: null,
  core_time: null,
  frame: null,
}

function msOf(text: string): number {
  const parsed = parseDelta(text)
  if (!parsed.ok) throw new Error(`a fixture has the time ${text}`)
  return parsed.deltaMs
}

function contentOf(entry: object) {
  const parsed = parseContent('entries', entry)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return parsed.value
}

describe('dayHints', () => {
  test.each(cases)('[D14.3] [D3.62] $name', ({ settings, date, entries, hints }) => {
    const timeline = buildTimeline([{ ...row, ...settings }])
    const expected = hints.map(({ code, amount }) => ({ code, amountMs: msOf(amount) }))
    expect(dayHints(entries.map(contentOf), timeline, date)).toEqual(expected)
  })

  test('[D14.3] agree with a naive model that looks at each minute, over the changes of the clock too', () => {
    const settings = fc.record({
      hints: fc.constantFrom('de' as const, 'at' as const, 'ch' as const, null),
      break_policy: fc.constantFrom(null, statutoryBreaks.de, statutoryBreaks.ch),
      frame: fc.constantFrom(null, { from: '06:30', to: '19:00' }),
      core_time: fc.constantFrom(null, { from: '09:00', to: '15:30' }),
    })
    const span = fc.record({
      kind: fc.constantFrom('work' as const, 'work' as const, 'break' as const),
      counts: fc.constantFrom(true, true, true, false),
      from: fc.integer({ min: 0, max: (3 * DAY_MS) / (5 * MINUTE_MS) }),
      length: fc.integer({ min: 1, max: 150 }),
    })
    const absence = fc.constantFrom(null, 'public_holiday' as const, 'sick' as const)
    // A Sunday in spring, one in autumn, and a Monday: the day that is looked at is the second of three.
    const middle = fc.constantFrom<LocalDate>('2026-03-29', '2026-10-25', '2026-11-16')
    fc.assert(
      fc.property(settings, fc.array(span, { maxLength: 7 }), absence, middle, (changed, spans, kind, date) => {
        const firstMs = Date.parse(date) - DAY_MS
        const timed = spans.map(({ kind, counts, from, length }) => {
          const startMs = firstMs + from * 5 * MINUTE_MS
          const times = {
            started_at: new Date(startMs).toISOString(),
            ended_at: new Date(startMs + length * 5 * MINUTE_MS).toISOString(),
          }
          return { kind, ...times, ...(kind === 'work' && { counts }) }
        })
        const entries = [...timed, ...(kind ? [{ kind, date }] : [])]
        const found = dayHints(entries.map(contentOf), buildTimeline([{ ...row, ...changed }]), date)
        expect(found.map(({ code, amountMs }) => `${code} ${amountMs / MINUTE_MS}`)).toEqual(
          naiveHints({ ...row, ...changed }, entries, date),
        )
      }),
      { numRuns: runsOf(50, 200) },
    )
  })
})

test.each(weeks)('[D14.4] $name', ({ country, worked, hint }) => {
  const expected = hint && { averageMs: msOf(hint.average), weeks: hint.weeks, limitMs: msOf(hint.limit) }
  expect(weekHint(country, worked.map(msOf)) ?? null).toEqual(expected)
})

test.each(reached)('[D14.5] running work tells when it reaches the longest day: $country, $worked', (vector) => {
  const { country, worked, reached_after } = vector
  const nowMs = Date.parse('2026-11-16T16:12:00Z')
  const found = longestDayReachedAt({ hints: country }, msOf(worked), nowMs)
  expect(found?.atMs).toBe(reached_after === null ? undefined : nowMs + msOf(reached_after))
  if (found) expect(found.limitMs).toBe(msOf(worked) + msOf(reached_after ?? ''))
})

test('[D14.2] breaks, the longest day and the longest week are those of each country’s law', () => {
  const minutes = (country: 'de' | 'at' | 'ch') => {
    const { rules, min_piece_ms } = statutoryBreaks[country]
    return [min_piece_ms, ...rules.flatMap(({ worked_above_ms, required_ms }) => [worked_above_ms, required_ms])].map(
      (ms) => ms / MINUTE_MS,
    )
  }
  expect(minutes('de')).toEqual([15, 360, 30, 540, 45])
  expect(minutes('at')).toEqual([10, 360, 30])
  expect(minutes('ch')).toEqual([15, 330, 15, 420, 30, 540, 60])
  const reachedAfter = (hints: HintSettings['hints']) => longestDayReachedAt({ hints }, 0, 0)?.atMs
  expect([reachedAfter('de'), reachedAfter('at')]).toEqual([10 * HOUR_MS, 12 * HOUR_MS])
  expect([reachedAfter('ch'), reachedAfter(null)]).toEqual([undefined, undefined])
  expect((['de', 'at', 'ch'] as const).map(weeksOfHint)).toEqual([24, 17, 1])
  for (const [country, weeks, limit] of [
    ['de', 24, 48],
    ['at', 17, 48],
    ['ch', 1, 45],
  ] as const) {
    const worked = Array<number>(weeks).fill(limit * HOUR_MS)
    // The week before does not count, and a minute in the last one does.
    expect(weekHint(country, [1_000 * HOUR_MS, ...worked]), country).toBeUndefined()
    const over = weekHint(country, worked.with(-1, (limit + 1) * HOUR_MS))
    expect(over, country).toMatchObject({ weeks, limitMs: limit * HOUR_MS })
  }
})
