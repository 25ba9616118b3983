import { aSettingsRow } from '@saldo/client/testing'
import { expect, test } from 'vitest'
import { namedParts, parts, periodsOf } from './periods.ts'

const first = aSettingsRow({ effective_from: '2025-01-01' })
const fewerHours = aSettingsRow({ effective_from: '2026-03-01', target_ms: [6, 6, 6, 6, 0, 0, 0] })
const moved = aSettingsRow({
  ...fewerHours,
  id: '00000000-0000-4000-8000-0000000000cc',
  effective_from: '2027-01-01',
  time_zone: 'Europe/London',
})

test('each row is in force until the next; the latest comes first', () => {
  expect(periodsOf([fewerHours, moved, first], '2026-11-21')).toMatchObject([
    { record: moved, from: '2027-01-01', to: null, state: 'future', changed: ['time_zone'] },
    { record: fewerHours, from: '2026-03-01', to: '2026-12-31', state: 'now', changed: ['target_ms'] },
    { record: first, from: '2025-01-01', to: '2026-02-28', state: 'past' },
  ])
})

test('every setting of the first row counts as changed', () => {
  expect(periodsOf([first], '2026-01-01')[0]?.changed).toEqual(parts)
})

test('of two rows of one date, the one with the greater id is in force', () => {
  const later = aSettingsRow({ effective_from: '2025-01-01' })
  expect(periodsOf([first, later], '2026-01-01').map(({ record, state }) => [record.id, state])).toEqual([
    [later.id, 'now'],
    [first.id, 'shadowed'],
  ])
})

test('before the account begins nothing is in force', () => {
  expect(periodsOf([first], '2024-12-31')[0]?.state).toBe('future')
})

test('a period in force names all settings beside its hours, another one what it changed', () => {
  const changed = ['target_ms', 'time_zone'] as const
  expect(namedParts({ state: 'now', changed })).toEqual(parts.slice(1))
  expect(namedParts({ state: 'future', changed })).toEqual(['time_zone'])
})
