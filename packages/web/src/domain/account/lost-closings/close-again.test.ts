import type { Closings } from '@saldo/client'
import { expect, test } from 'vitest'
import { closeAgain } from './close-again.ts'

/** Closings of a service that notes what it is asked to close, and refuses one of them. */
function noted<Period extends string>(closed: string[], refused?: Period): Closings<Period> {
  return {
    async close(period) {
      if (period === refused) throw new Error('no')
      closed.push(period)
    },
    reopen: async () => {},
  }
}
const lost = { weeks: ['2026-W45', '2026-W46'], days: ['2026-11-16', '2026-11-17'] } as const

test('lost closings are closed again, weeks before days, up to the first that the service refuses', async () => {
  const closed: string[] = []
  await closeAgain({ weeks: noted(closed), days: noted(closed) }, lost)
  expect(closed).toEqual([...lost.weeks, ...lost.days])
  const some: string[] = []
  await expect(closeAgain({ weeks: noted(some, '2026-W46'), days: noted(some) }, lost)).rejects.toThrow('no')
  expect(some).toEqual(['2026-W45'])
})
