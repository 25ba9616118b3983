import { expect, test } from 'vitest'
import { defaultQuery } from '../../domain/reports/report-query.ts'
import { lineAddress } from './line-address.ts'

test.each([
  ['project', 'Harbour', '/reports?by=day&project=Harbour&words=x'],
  ['tag', 'ui', '/reports?tag=ui&words=x'],
  ['day', '2026-11-20', '/day/2026-11-20'],
  ['week', '2026-W47', '/week/2026-W47'],
  ['month', '2026-02', '/reports?from=2026-02-01&to=2026-02-28&by=day&words=x'],
  ['project', null, undefined],
] as const)('a line of the group %s leads to what it counts', (group, key, address) => {
  expect(lineAddress({ key, timeMs: 1, entryCount: 1 }, { ...defaultQuery, group, words: 'x' })).toBe(address)
})
