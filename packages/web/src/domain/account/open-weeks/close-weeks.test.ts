import type { IsoWeek } from '@saldo/core'
import { expect, test } from 'vitest'
import { stepOfWeeks } from './close-weeks.ts'

const weeks: IsoWeek[] = ['2026-W45', '2026-W46', '2026-W47']

test('weeks are closed in order, and undo reopens those that were closed, also after a failure', async () => {
  for (const failing of [undefined, '2026-W47']) {
    const done: string[] = []
    const closings = {
      async close(week: IsoWeek) {
        if (week === failing) throw new Error('no')
        done.push(`close ${week}`)
      },
      reopen: async (week: IsoWeek) => void done.push(`reopen ${week}`),
    }
    const { make, takeBack } = stepOfWeeks(closings, weeks)
    const closed = weeks.filter((week) => week !== failing)
    await make().catch(() => {})
    await takeBack()
    expect(done).toEqual([...closed.map((week) => `close ${week}`), ...closed.map((week) => `reopen ${week}`)])
  }
})
