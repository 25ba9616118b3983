import { expect, test } from 'vitest'
import { openStage } from './open-stage.ts'
import { desktop } from './stage.ts'

test('a page of a stage shows the app however long time has passed since it was opened', async () => {
  const stage = await openStage('2026-11-09T08:00:00.000Z')
  const { page, errors } = await stage.page(desktop)
  await stage.signUp(page, '2026-11-09')
  for (const until of ['2026-12-06T08:00:00.000Z', '2026-12-20T08:00:00.000Z', '2027-01-10T08:00:00.000Z']) {
    await stage.goOn(until)
    await stage.visit(page)
  }
  expect(errors.filter((text) => !/ERR_INTERNET_DISCONNECTED/.test(text))).toEqual([])
})
