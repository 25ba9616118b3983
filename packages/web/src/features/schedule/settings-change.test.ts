import { aSettingsRow } from '@saldo/client/testing'
import { buildTimeline, contentOf } from '@saldo/core'
import { expect, test } from 'vitest'
import { newSettings, settingsChangeOf, settingsRowOf, withDate, withoutRow } from './settings-change.ts'

const first = aSettingsRow({ effective_from: '2025-01-01', note: 'as agreed' })
const second = aSettingsRow({ effective_from: '2026-03-01', time_zone: 'Europe/London' })
const rows = [first, second]
const place = { today: '2026-11-21', zone: 'Europe/Vienna', locale: 'de-AT' } as const

test('a new row begins with the settings in force', () => {
  expect(newSettings(rows, place)).toEqual({ ...contentOf(second), effective_from: '2026-11-21', note: '' })
  expect(newSettings(rows, { ...place, today: '2025-06-01' })).toMatchObject({ time_zone: 'Europe/Berlin' })
})

test('a new row continues the rotation of weeks in force', () => {
  const [early, late] = [Array(7).fill(1), Array(7).fill(2)]
  const rotating = aSettingsRow({ effective_from: '2026-11-02', target_ms: [...early, ...late] })
  const startsOn = (today: '2026-11-09' | '2026-11-16') => newSettings([rotating], { ...place, today }).target_ms
  expect(startsOn('2026-11-09')).toEqual([...late, ...early])
  expect(startsOn('2026-11-16')).toEqual([...early, ...late])
})

test('another date turns the rotation of a form, so that weeks stay where they are', () => {
  const [even, odd] = [Array(7).fill(1), Array(7).fill(2)]
  const form = { ...contentOf(first), effective_from: '2026-11-16' as const, target_ms: [...even, ...odd] }
  expect(withDate(form, '2026-06-29')).toEqual({ effective_from: '2026-06-29', target_ms: [...even, ...odd] })
  expect(withDate(form, '2026-07-08')).toEqual({ effective_from: '2026-07-08', target_ms: [...odd, ...even] })
})

test('before the account begins, a new row begins with the settings of the first', () => {
  expect(newSettings(rows, { ...place, today: '2024-06-01' })).toEqual({
    ...contentOf(first),
    effective_from: '2024-06-01',
    note: '',
  })
})

test('the first row begins with the usual settings of the place', () => {
  expect(newSettings([], place)).toMatchObject({ time_zone: 'Europe/Vienna', break_policy: { rules: [{}] } })
})

test('a new row replaces another one of its date', () => {
  const form = { ...contentOf(second), target_ms: [0, 0, 0, 0, 0, 0, 0] }
  const change = settingsChangeOf(form, undefined, rows)
  expect(change).toMatchObject({ ok: true, change: { replaced: second } })
  expect(change.ok && settingsRowOf(change.change)).toEqual({ ...second, target_ms: form.target_ms })
})

test('the row of a new date has no row to replace', () => {
  const change = settingsChangeOf({ ...contentOf(second), effective_from: '2026-04-01' }, undefined, rows)
  if (!change.ok) throw new Error('it can be saved')
  expect(change.change.replaced).toBeUndefined()
  expect(buildTimeline([...rows, settingsRowOf(change.change)])).toHaveLength(3)
})

test('an edited row can keep its date or move to a free one, but not take that of another', () => {
  expect(settingsChangeOf(contentOf(first), first, rows)).toMatchObject({ ok: true, change: { replaced: first } })
  const free = { ...contentOf(first), effective_from: '2025-06-01' } as const
  expect(settingsChangeOf(free, first, rows)).toEqual({ ok: true, change: { content: free, replaced: first } })
  const moved = { ...contentOf(first), effective_from: '2026-03-01' } as const
  expect(settingsChangeOf(moved, first, rows)).toEqual({ ok: false, problem: 'dateTaken' })
})

test('reports dates that the service would reject', () => {
  const tooEarly = { ...contentOf(first), effective_from: '1899-12-31' } as const
  expect(settingsChangeOf(tooEarly, first, rows)).toEqual({ ok: false, problem: 'invalid' })
})

test('a deleted row is never in force', () => {
  expect(buildTimeline([first, withoutRow(second)])[0]).toBe(first)
  expect(buildTimeline([first, withoutRow(second)])[1]?.effective_from).toBe('9999-12-31')
})
