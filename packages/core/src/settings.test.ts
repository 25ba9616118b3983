import { expect, test } from 'vitest'
import { parseContent } from './record.ts'
import { DAY_MS, HOUR_MS } from './values.ts'

const row = { effective_from: '2026-01-01', time_zone: 'Europe/Berlin', target_ms: Array<number>(7).fill(0) }
const rule = { worked_above_ms: 0, required_ms: 0 }
const limits = { green_ms: 0, yellow_ms: 0, period_ends: [], keep_at_most_ms: 0 }
const holidays = { country: 'DE', state: null, region: null, partial: {} }
const ends = Array.from({ length: 13 }, (_, index) => `01-${String(index + 1).padStart(2, '0')}`)
const partial = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `${String((index % 12) + 1).padStart(2, '0')}-${String(Math.floor(index / 12) + 1).padStart(2, '0')}`,
      0.5,
    ]),
  )

/** Fields of a settings row, values at their bounds, and values beyond these, each as the row has them. */
const bounds: [string, allowed: readonly object[], beyond: readonly object[]][] = [
  [
    '/effective_from',
    [{ effective_from: '1900-01-01' }, { effective_from: '9999-12-31' }],
    [{ effective_from: '1899-12-31' }],
  ],
  [
    '/target_ms',
    [7, 14, 56].map((length) => ({ target_ms: Array<number>(length).fill(DAY_MS) })),
    [0, 6, 8, 13, 57, 63].map((length) => ({ target_ms: Array<number>(length).fill(0) })),
  ],
  ['/target_ms/0', [], [-1, DAY_MS + 1, 0.5].map((ms) => ({ target_ms: row.target_ms.with(0, ms) }))],
  [
    '/break_policy/rules/0/worked_above_ms',
    [0, 2 * DAY_MS].map((ms) => ({ break_policy: { rules: [{ ...rule, worked_above_ms: ms }], min_piece_ms: 0 } })),
    [-1, 2 * DAY_MS + 1].map((ms) => ({ break_policy: { rules: [{ ...rule, worked_above_ms: ms }] } })),
  ],
  [
    '/break_policy/rules/0/required_ms',
    [0, DAY_MS].map((ms) => ({ break_policy: { rules: [{ ...rule, required_ms: ms }], min_piece_ms: 0 } })),
    [-1, DAY_MS + 1].map((ms) => ({ break_policy: { rules: [{ ...rule, required_ms: ms }] } })),
  ],
  [
    '/break_policy/rules',
    [0, 20].map((length) => ({ break_policy: { rules: Array(length).fill(rule), min_piece_ms: 0 } })),
    [{ break_policy: { rules: Array(21).fill(rule) } }],
  ],
  [
    '/break_policy/min_piece_ms',
    [0, DAY_MS].map((min_piece_ms) => ({ break_policy: { rules: [], min_piece_ms } })),
    [-1, DAY_MS + 1].map((min_piece_ms) => ({ break_policy: { rules: [], min_piece_ms } })),
  ],
  [
    '/auto_close/day_after_ms',
    [0, 366 * DAY_MS].map((day_after_ms) => ({ auto_close: { day_after_ms, week_after_days: 0 } })),
    [-1, 366 * DAY_MS + 1].map((day_after_ms) => ({ auto_close: { day_after_ms, week_after_days: 0 } })),
  ],
  [
    '/auto_close/week_after_days',
    [0, 366].map((week_after_days) => ({ auto_close: { day_after_ms: 0, week_after_days } })),
    [-1, 367].map((week_after_days) => ({ auto_close: { day_after_ms: 0, week_after_days } })),
  ],
  [
    '/week_starts_on',
    [1, 7].map((week_starts_on) => ({ week_starts_on })),
    [0, 8].map((week_starts_on) => ({ week_starts_on })),
  ],
  [
    '/vacation/days_per_year',
    [0, 366].map((days_per_year) => ({ vacation: { days_per_year, carry_over_until: null } })),
    [-0.01, 366.01].map((days_per_year) => ({ vacation: { days_per_year } })),
  ],
  [
    '/limits/green_ms',
    [{ limits: { ...limits, green_ms: 366 * DAY_MS, yellow_ms: 366 * DAY_MS } }],
    [{ limits: { ...limits, green_ms: -1 } }],
  ],
  [
    '/limits/yellow_ms',
    [{ limits: { ...limits, green_ms: HOUR_MS, yellow_ms: HOUR_MS } }],
    [
      { limits: { ...limits, green_ms: HOUR_MS, yellow_ms: HOUR_MS - 1 } },
      { limits: { ...limits, yellow_ms: 366 * DAY_MS + 1 } },
    ],
  ],
  [
    '/limits/keep_at_most_ms',
    [null, 366 * DAY_MS].map((keep_at_most_ms) => ({ limits: { ...limits, keep_at_most_ms } })),
    [-1, 366 * DAY_MS + 1].map((keep_at_most_ms) => ({ limits: { ...limits, keep_at_most_ms } })),
  ],
  [
    '/limits/period_ends',
    [{ limits: { ...limits, period_ends: ends.slice(1) } }],
    [{ limits: { ...limits, period_ends: ends } }],
  ],
  ['/limits/period_ends/0', [], [{ limits: { ...limits, period_ends: ['02-30'] } }]],
  [
    '/core_time/to',
    [{ core_time: { from: '09:00', to: '09:01' } }],
    [{ core_time: { from: '09:00', to: '09:00' } }, { core_time: { from: '09:00', to: '08:59' } }],
  ],
  [
    '/holidays/partial',
    [{ holidays: { ...holidays, partial: partial(50) } }],
    [{ holidays: { ...holidays, partial: partial(51) } }, { holidays: { ...holidays, partial: { '12-32': 0 } } }],
  ],
  [
    '/holidays/partial/12-24',
    [0, 1].map((share) => ({ holidays: { ...holidays, partial: { '12-24': share } } })),
    [-0.1, 1.1].map((share) => ({ holidays: { ...holidays, partial: { '12-24': share } } })),
  ],
  ['/note', [{ note: 'x'.repeat(5_000) }], [{ note: 'x'.repeat(5_001) }]],
]

test.each(bounds)('[D2.14] [D2.17] [D2.20] [D2.37] %s of a settings row has its bounds', (pointer, allowed, beyond) => {
  for (const fields of allowed) {
    const parsed = parseContent('settings_history', { ...row, ...fields })
    expect(parsed, JSON.stringify(fields)).toMatchObject({ ok: true, value: fields })
  }
  for (const fields of beyond) {
    const parsed = parseContent('settings_history', { ...row, ...fields })
    const errors = parsed.ok ? [] : parsed.errors.map((error) => error.pointer)
    expect(errors, JSON.stringify(fields)).toEqual([pointer])
  }
})
