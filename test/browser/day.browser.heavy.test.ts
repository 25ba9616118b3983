import { expect, test } from 'vitest'
import { Day } from './day.ts'
import { captivePortal, cutAfter, cutBefore, cutInside, gatewaySays, serviceSays } from './faults.ts'
import { fullTime, sick, timed } from './records.ts'

test('[R1.5] [R5.1] [D7.2] a day with kills and network faults loses and duplicates nothing', async () => {
  const day = await Day.begin()
  await day.put('settings', 'schedule', fullTime('2026-11-02'))
  // The timer starts, and the answer is lost.
  await day.during(cutAfter, () => day.put('entries', 'work', timed(16, 8, null)))
  await day.synced()
  // Out of coverage: the break starts, the tab is killed while the request is on its way to the service.
  await day.killTabWhile('there', () => day.put('entries', 'break', timed(16, 12, null, '', 'break')))
  // A note; the tab is killed while the answer is on its way back.
  await day.synced()
  await day.killTabWhile('back', () => day.change('entries', 'work', { note: 'in the office' }))
  await day.synced()
  // The service is killed while it is at the end of the break, and stays away.
  await day.killServiceWhile(() => day.change('entries', 'break', { ended_at: '2026-11-16T13:00:00.000Z' }))
  // The timer stops; at once the whole browser is killed, and opened again without a service.
  await day.change('entries', 'work', { ended_at: '2026-11-16T17:00:00.000Z' })
  await day.killBrowser()
  await day.put('entries', 'mistake', timed(16, 18, 19, 'a mistake'))
  await day.change('entries', 'work', { note: 'in the office, then at home' })
  await day.startServiceAndKillBrowser()
  await day.synced()
  await day.during(cutInside, () => day.remove('entries', 'mistake'))
  await day.synced()
  // A captive portal on a train; then the gateway has no service behind it, then the service answers 429.
  await day.during(captivePortal, () => day.put('entries', 'tomorrow', sick(17)))
  await day.during(gatewaySays(502), () => day.change('entries', 'tomorrow', { day_share: 0.5 }))
  await day.during(serviceSays(429, 'rate_limited', { 'retry-after': '1' }), () =>
    day.put('balanceAdjustments', 'forgotten', {
      effective_date: '2026-11-02',
      delta_ms: 3_600_000,
      kind: 'correction',
      reason: 'forgotten',
    }),
  )
  await day.synced()
  // The session ends; what is done meanwhile waits for signing in.
  await day.signedOutBehindItsBack()
  await day.change('entries', 'tomorrow', { note: 'a cold' })
  await day.signInAgain()
  await day.synced()
  await day.during(cutBefore, () => day.put('entries', 'evening', timed(16, 20, 21, 'the last')))
  await day.killBrowser()
  await day.synced()
  expect(await day.whatIsLeftToDo()).toMatchObject({ unsent: 0, rejected: 0, conflicts: 0, storeError: null })
  await day.expectThatAllHaveTheSame()
})
