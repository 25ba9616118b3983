import { MINUTE_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { defaultQuery } from '../../domain/reports/report-query.ts'
import { lineAddress, reportFigures } from './reports-model.ts'

const line = (key: string, minutes: number) => ({ key, timeMs: minutes * MINUTE_MS, entryCount: 1 })

test('[D12.10] the figures of a report add up in whole minutes, and lines have a share of the longest', () => {
  const lines = [line('a', 60.4), line('b', 30.4), line('c', 15.1)]
  const report = { lines, repeatedMs: 10 * MINUTE_MS, deductedMs: 30 * MINUTE_MS, totalMs: 65.9 * MINUTE_MS }
  const figures = reportFigures(report)
  const minutes = figures.lines.map(({ shownMs }) => shownMs / MINUTE_MS)
  expect(minutes.reduce((sum, each) => sum + each, 0) + (figures.repeatedMs + figures.deductedMs) / MINUTE_MS).toBe(65)
  for (const { line, shownMs } of figures.lines) expect(Math.abs(shownMs - line.timeMs)).toBeLessThan(MINUTE_MS)
  expect(figures).toMatchObject({ repeatedMs: -10 * MINUTE_MS, deductedMs: -30 * MINUTE_MS })
  expect(figures.lines.map(({ share }) => share)).toEqual([1, 30.4 / 60.4, 15.1 / 60.4])
})

test('a report without time has lines without a share', () => {
  const none = { repeatedMs: 0, deductedMs: 0, totalMs: 0 }
  expect(reportFigures({ lines: [line('a', 0)], ...none }).lines).toMatchObject([{ shownMs: 0, share: 0 }])
})

test.each([
  ['project', 'Harbour', '/reports#by=day&project=Harbour&words=x'],
  ['tag', 'ui', '/reports#tag=ui&words=x'],
  ['day', '2026-11-20', '/day/2026-11-20'],
  ['week', '2026-W47', '/week/2026-W47'],
  ['month', '2026-02', '/reports#from=2026-02-01&to=2026-02-28&by=day&words=x'],
  ['project', null, undefined],
] as const)('a line of the group %s leads to what it counts', (group, key, address) => {
  expect(lineAddress({ key, timeMs: 1, entryCount: 1 }, { ...defaultQuery, group, words: 'x' })).toBe(address)
})
