import { aWork } from '@saldo/client/testing'
import { datesOfWeek } from '@saldo/core'
import { expect, test } from 'vitest'
import { dateShownFirst, projectRows, projectsWithoutRow, weekBefore } from './sheet-rows.ts'

const dates = datesOfWeek('2026-W47')
const workFor = (project: string | null) => aWork(0, 1, { project })

test('the rows are the projects of the week and added ones, each once', () => {
  expect(projectRows([workFor('Borealis'), workFor('Atlas')], ['Zenith', 'Atlas'])).toEqual([
    'Atlas',
    'Borealis',
    'Zenith',
  ])
  expect(projectRows([], ['Atlas'])).toEqual(['Atlas'])
  expect(projectRows([], [])).toEqual([null])
})

test('other projects to add are those without a row', () => {
  const all = [workFor('Atlas'), workFor(null), workFor('Borealis')]
  expect(projectsWithoutRow(all, ['Atlas'])).toEqual(['Borealis'])
})

test('the week before ends on the Sunday before', () => {
  expect(weekBefore(dates)).toEqual({ from: '2026-11-09', to: '2026-11-15' })
})

test('today is shown first, in another week its first day', () => {
  expect(dateShownFirst({ dates, today: '2026-11-18' })).toBe('2026-11-18')
  expect(dateShownFirst({ dates, today: '2026-11-23' })).toBe('2026-11-16')
})
