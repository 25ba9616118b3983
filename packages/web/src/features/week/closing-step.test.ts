import type { IsoWeek } from '@saldo/core'
import { expect, test } from 'vitest'
import { stepOfClosing } from './closing-step.ts'

test.each([
  ['close', ['close 2026-W47', 'reopen 2026-W47']],
  ['reopen', ['reopen 2026-W47', 'close 2026-W47']],
] as const)('to %s a week is undone by the other', async (action, expected) => {
  const done: string[] = []
  const closings = {
    close: async (week: IsoWeek) => void done.push(`close ${week}`),
    reopen: async (week: IsoWeek) => void done.push(`reopen ${week}`),
  }
  const { make, takeBack } = stepOfClosing(closings, '2026-W47', action)
  await make()
  await takeBack()
  expect(done).toEqual(expected)
})
