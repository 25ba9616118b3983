import { expect, test } from 'vitest'
import { parseContent } from '../record.ts'
import { buildTimeline } from '../timeline.ts'
import { HOUR_MS, type RecordId } from '../values.ts'
import { balanceLight, datesWithoutEntries } from './board.ts'

test('[D27.17] the light of a balance is green up to a week either way, yellow up to two, and red beyond', () => {
  const sizes = [0, 40, 41, 80, 81]
  const lights = ['green', 'green', 'yellow', 'yellow', 'red']
  for (const sign of [1, -1]) expect(sizes.map((size) => balanceLight(sign * size, 40))).toEqual(lights)
})

test('[D1.37] [D27.17] days without entries are found in steps, one for each entry', () => {
  const id = '00000000-0000-4000-8000-000000000001' as RecordId
  const target_ms = [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * HOUR_MS)
  const row = parseContent('settings_history', { effective_from: '2026-01-01', time_zone: 'UTC', target_ms })
  if (!row.ok) throw new Error('the settings are not valid')
  const start = Date.parse('2026-12-07T22:00:00.000Z')
  const entries = [
    // Over midnight, and one that runs.
    { kind: 'work', start, end: start + 4 * HOUR_MS } as const,
    { kind: 'work', start: start + 48 * HOUR_MS, end: null } as const,
    { kind: 'sick', date: '2026-12-11', day_share: 1, amount_ms: null } as const,
  ]
  const ranges = [
    { from: '2026-12-04', to: '2026-12-09' },
    { from: '2026-12-10', to: '2026-12-13' },
  ] as const
  const steps = datesWithoutEntries(entries, buildTimeline([{ id, ...row.value }]), ranges)
  let count = 0
  let step = steps.next()
  for (; !step.done; step = steps.next()) count += 1
  expect([count, step.value]).toEqual([3, ['2026-12-04', '2026-12-10']])
})
