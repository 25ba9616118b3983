import { randomUUID } from 'node:crypto'
import { DAY_MS, type UserNumber } from '@saldo/core'
import { beforeEach, expect, test } from 'vitest'
import { dates, isoWeek } from '../../../core/test/naive-account.ts'
import { undoAutoClose } from '../../src/account/auto-close-undo.ts'
import { JobRunner } from '../../src/account/jobs.ts'
import type { JobTask } from '../../src/store/job-task.ts'
import type { RecordStore, UserWriter } from '../../src/store/store.ts'
import { serviceOfFile } from '../file-service.ts'
import { absence, hours, settings, work } from './samples.ts'
import type { SentChange } from './sent-records.ts'
import { TestAccount } from './test-account.ts'

let account: TestAccount
const service = await serviceOfFile()
beforeEach(async () => {
  service.clock.set('2026-09-01T12:00:00.000Z')
  account = await TestAccount.open(service)
})

const closing = (day_after_ms: number, week_after_days: number) => ({ auto_close: { day_after_ms, week_after_days } })
const withoutDelay = closing(0, 0)

/** Runs the jobs that are due at an instant, as a service does that has run until then. */
async function runAt(instant: string): Promise<void> {
  service.clock.set(new Date(instant).toISOString())
  await rememberClock()
  await service.service.runDueJobs()
}

/** Lets the service remember that it ran jobs just now. */
async function rememberClock(): Promise<void> {
  const beside = await service.openBeside()
  await beside.state.set('clock', JSON.stringify({ seenMs: service.clock.now(), doubtedFromMs: null }))
  await beside.close()
}

/** Undoes what auto-close closed since an instant. */
async function undoSince(instant: string): Promise<{ days: number; weeks: number }> {
  const beside = await service.openBeside()
  const undone = await beside.records.write(account.user, (writer) =>
    undoAutoClose(writer, Date.parse(instant), { nowMs: service.clock.now() }),
  )
  await beside.close()
  return undone
}

const closedDates = async () => (await account.list('/api/closed-days')).map((day) => day.date as string)
const closedWeeks = async () => (await account.list('/api/closed-weeks')).map((week) => week.week as string)

test('[D3.36] a day is closed when it is due, not a millisecond earlier', async () => {
  await account.post('settings_history', settings('2026-11-16', closing(hours(6), 2)))
  await runAt('2026-11-17T04:59:59.999Z')
  expect(await closedDates()).toEqual([])
  await runAt('2026-11-17T05:00:00.000Z')
  expect(await account.day('2026-11-16')).toMatchObject({
    closed_by: 'auto',
    closed_at: '2026-11-17T05:00:00.000Z',
    revision: 1,
  })
  await runAt('2026-11-18T04:59:59.999Z')
  expect(await closedDates()).toEqual(['2026-11-16'])
  await runAt('2026-11-18T05:00:00.000Z')
  expect(await closedDates()).toEqual(['2026-11-16', '2026-11-17'])
})

test('[D3.37] [D3.52] a week is closed when it is due, at the start of the day in its zone', async () => {
  await account.post('settings_history', settings('2026-11-16', closing(hours(6), 2)))
  await runAt('2026-11-24T22:59:59.999Z')
  expect(await closedWeeks()).toEqual([])
  await runAt('2026-11-24T23:00:00.000Z')
  expect(await account.week('2026-W47')).toMatchObject({ closed_by: 'auto', delta_ms: hours(-40), revision: 1 })
  // Monday 23 is closed as a day; its week waits.
  expect(await closedDates()).toEqual(dates('2026-11-16', '2026-11-23'))
  await account.expectCorrect()
})

test('[D3.52] without days to wait, a week closes with the end of its Sunday', async () => {
  await account.post('settings_history', settings('2026-11-16', closing(hours(6), 0)))
  await runAt('2026-11-22T22:59:59.999Z')
  expect(await closedWeeks()).toEqual([])
  await runAt('2026-11-22T23:00:00.000Z')
  expect(await closedWeeks()).toEqual(['2026-W47'])
})

test('[D3.36] without delay, a day closes with its last millisecond, also at a clock change', async () => {
  await account.post('settings_history', settings('2026-10-24', withoutDelay))
  // The night has an hour more: Sunday 25 October ends at 23:00 UTC.
  await runAt('2026-10-24T21:59:59.999Z')
  expect(await closedDates()).toEqual([])
  await runAt('2026-10-24T22:00:00.000Z')
  expect(await closedDates()).toEqual(['2026-10-24'])
  await runAt('2026-10-25T22:59:59.999Z')
  expect(await closedDates()).toEqual(['2026-10-24'])
  await runAt('2026-10-25T23:00:00.000Z')
  expect(await closedDates()).toEqual(['2026-10-24', '2026-10-25'])
  expect(await closedWeeks()).toEqual(['2026-W43'])
})

test('[D3.36] [D3.52] where the clocks change, a day waits for hours, and a week for dates', async () => {
  await account.post('settings_history', settings('2026-10-12', closing(hours(6), 7)))
  // Six hours after Saturday 24 October, the clock says 5:00: it was set back at 3:00.
  await runAt('2026-10-25T03:59:59.999Z')
  expect((await closedDates()).at(-1)).toBe('2026-10-23')
  await runAt('2026-10-25T04:00:00.000Z')
  expect((await closedDates()).at(-1)).toBe('2026-10-24')
  // The week until 18 October is due at the start of the 26th, of a week with an hour more than others.
  await runAt('2026-10-25T22:59:59.999Z')
  expect(await closedWeeks()).toEqual([])
  await runAt('2026-10-25T23:00:00.000Z')
  expect(await closedWeeks()).toEqual(['2026-W42'])
  // In spring, the week has an hour less.
  await runAt('2027-03-28T21:59:59.999Z')
  expect((await closedWeeks()).at(-1)).toBe('2027-W10')
  await runAt('2027-03-28T22:00:00.000Z')
  expect((await closedWeeks()).at(-1)).toBe('2027-W11')
})

test('[D3.38] the settings in force on the date decide, not later ones', async () => {
  await account.post('settings_history', settings('2026-11-02', closing(hours(12), 7)))
  await account.post('settings_history', settings('2026-11-11'))
  await account.post('settings_history', settings('2026-11-18', closing(0, 1)))
  await runAt('2026-12-31T12:00:00Z')
  const days = [...dates('2026-11-02', '2026-11-10'), ...dates('2026-11-16', '2026-12-30')]
  // Week 46 ends under settings that close nothing; week 47 closes all its days, Monday and Tuesday too.
  expect(await closedDates()).toEqual(days)
  expect(await closedWeeks()).toEqual([
    '2026-W45',
    '2026-W47',
    '2026-W48',
    '2026-W49',
    '2026-W50',
    '2026-W51',
    '2026-W52',
  ])
  await account.expectCorrect()
})

test('[D3.38] dates with a long wait do not hold up later dates with a short one', async () => {
  await account.post('settings_history', settings('2026-11-02', closing(30 * DAY_MS, 30)))
  await account.post('settings_history', settings('2026-11-16', withoutDelay))
  await runAt('2026-11-18T12:00:00Z')
  expect(await closedDates()).toEqual(['2026-11-16', '2026-11-17'])
  await runAt('2026-11-23T12:00:00Z')
  expect(await closedWeeks()).toEqual(['2026-W47'])
  expect(await closedDates()).toEqual(dates('2026-11-16', '2026-11-22'))

  // The days of the first row still close one by one when their thirty days are over.
  await runAt('2026-12-02T22:59:59.999Z')
  expect((await closedDates())[0]).toBe('2026-11-16')
  await runAt('2026-12-02T23:00:00Z')
  expect((await closedDates()).slice(0, 2)).toEqual(['2026-11-02', '2026-11-16'])
  await runAt('2026-12-11T12:00:00Z')
  expect(await closedWeeks()).toEqual(['2026-W45', '2026-W47', '2026-W48', '2026-W49'])
  await runAt('2027-03-01T12:00:00Z')
  expect(await closedDates()).toEqual(dates('2026-11-02', '2027-02-28'))
  expect(await closedWeeks()).toEqual([...new Set(dates('2026-11-02', '2027-02-28').map(isoWeek))])
  await account.expectCorrect()
})

test('[D3.38] with settings for each day, each day and the week close when they are due', async () => {
  const content = (date: string) => settings(date, date < '2026-11-18' ? closing(hours(96), 4) : withoutDelay)
  const rows = dates('2026-11-16', '2027-12-31').map(
    (date): SentChange => ({ kind: 'settings_history', id: randomUUID(), content: content(date) }),
  )
  await account.push(rows)
  await runAt('2026-11-18T22:59:59.999Z')
  expect(await closedDates()).toEqual([])
  await runAt('2026-11-18T23:00:00.000Z')
  expect(await closedDates()).toEqual(['2026-11-18'])
  await runAt('2026-11-20T23:00:00.000Z')
  expect(await closedDates()).toEqual(['2026-11-16', '2026-11-18', '2026-11-19', '2026-11-20'])
  await runAt('2026-11-22T23:00:00.000Z')
  expect(await closedWeeks()).toEqual(['2026-W47'])
})

test('[D3.40] each closing is made once, by repeated or concurrent runs and by the user', async () => {
  const id = await account.post('settings_history', settings('2025-09-01', withoutDelay))
  await account.post('entries', work('2026-10-08T22:30Z', '2026-10-09T09:00Z'))
  service.clock.set('2026-11-21T12:00:00.000Z')
  const beside = await service.openBeside()
  const failures: unknown[] = []
  const second = new JobRunner({
    store: beside.records,
    clock: service.clock,
    onFailure: (_, error) => failures.push(error),
  })
  const close = (week: string) => account.call('POST', '/api/closed-weeks', { json: { week } })
  const [, , ...answers] = await Promise.all([
    service.service.runDueJobs(),
    second.runDue(),
    ...['2026-W41', '2025-W50', '2026-W44', '2026-W41'].map(close),
    account.call('POST', '/api/closed-days', { json: { date: '2026-10-14' } }),
  ])
  for (const { status } of answers) expect([200, 201]).toContain(status)
  // A user for whom another run writes is left to the next run.
  await service.service.runDueJobs()
  const version = await account.version()
  await Promise.all([service.service.runDueJobs(), second.runDue()])
  expect(await account.version()).toBe(version)
  for (const path of ['/api/closed-days', '/api/closed-weeks']) {
    expect(new Set((await account.list(path)).map(({ revision }) => revision))).toEqual(new Set([1]))
  }
  expect(await closedDates()).toEqual(dates('2025-09-01', '2026-11-20'))
  await account.expectCorrect()

  // The same holds for two runs that recompute.
  await account.put(
    'settings_history',
    id,
    settings('2025-09-01', { ...withoutDelay, target_ms: Array(7).fill(hours(3)) }),
  )
  await Promise.all([second.runDue(), service.service.runDueJobs()])
  expect(failures).toEqual([])
  for (const path of ['/api/closed-days', '/api/closed-weeks']) {
    expect(new Set((await account.list(path)).map(({ revision }) => revision))).toEqual(new Set([2]))
  }
  await account.expectCorrect()
  await beside.close()
})

test('[D3.35] users take turns, however many jobs one of them has and however long they are due', async () => {
  const others = [await TestAccount.open(service), await TestAccount.open(service)]
  const beside = await service.openBeside()
  const task: JobTask = { kind: 'recompute', ranges: [{ from: '2026-01-01', to: '2026-01-02' }], causes: [] }
  const put = (user: UserNumber, count: number, dueMs: number) =>
    beside.records.write(user, async (writer) => {
      for (let job = 0; job < count; job += 1) await writer.putJob({ id: `job ${job}`, dueMs, task })
    })
  await put(account.user, 50, 1)
  for (const [index, { user }] of others.entries()) await put(user, 2, 1_000 + index)
  const order: UserNumber[] = []
  const store: RecordStore = {
    ...beside.records,
    // A query finds fewer users than have jobs.
    usersWithDueJobs: (nowMs, _limit, except) => beside.records.usersWithDueJobs(nowMs, 2, except),
    writeIfFree: (user, body) => {
      order.push(user)
      return beside.records.writeIfFree(user, body)
    },
  }
  const onFailure = (_: UserNumber, error: unknown) => expect.unreachable(String(error))
  await new JobRunner({ store, clock: service.clock, onFailure }).runDue()
  const everybody = [account, ...others].map(({ user }) => user)
  const ofThem = order.filter((user) => everybody.includes(user))
  expect(ofThem.slice(0, 6)).toEqual([...everybody, ...everybody])
  expect(ofThem).toHaveLength(54)
  await beside.close()
})

test('[D3.57] [D3.58] a clock a year ahead closes five weeks at most, except for users who work then', async () => {
  await account.post('settings_history', settings('2026-08-03', withoutDelay))
  const worker = await TestAccount.open(service)
  await worker.post('settings_history', settings('2026-08-03', withoutDelay))
  await runAt('2026-09-07T12:00:00Z')
  expect((await closedDates()).at(-1)).toBe('2026-09-06')
  await worker.post('entries', work('2027-08-20T08:00Z', '2027-08-20T12:00Z'))
  // Planned long before.
  await account.post('entries', absence('vacation', '2027-09-01'))
  // A timer that nobody stopped runs until then, but it began long before.
  await account.post('entries', work('2026-09-06T08:00Z', null))

  const lines = service.log.length
  service.clock.set('2027-09-07T12:00:00.000Z')
  await service.service.runDueJobs()
  await service.service.runDueJobs()
  expect((await closedDates()).at(-1)).toBe('2026-10-11')
  expect((await worker.list('/api/closed-days')).at(-1)).toMatchObject({ date: '2027-09-06' })
  expect(service.log.slice(lines).filter(({ level }) => level === 'error')).toEqual([
    {
      level: 'error',
      fields: { last_run: '2026-09-07T12:00:00.000Z' },
      message: 'the clock is far ahead of the last run: auto-close waits for a day',
    },
  ])

  const lastClosedAt = async (instant: string) => {
    service.clock.set(instant)
    await service.service.runDueJobs()
    return (await closedDates()).at(-1)
  }
  // Set back, the clock is right again, and each day is closed when it is due.
  await lastClosedAt('2026-10-12T12:00:00.000Z')
  expect(await lastClosedAt('2026-10-20T12:00:00.000Z')).toBe('2026-10-19')

  // After two months without power the clock is right, although it is ahead.
  expect(await lastClosedAt('2026-12-20T12:00:00.000Z')).toBe('2026-11-23')
  expect(await lastClosedAt('2026-12-21T11:59:00.000Z')).toBe('2026-11-23')
  expect(await lastClosedAt('2026-12-21T12:00:00.000Z')).toBe('2026-12-20')
  await account.expectCorrect()
})

test('[D3.58] a clock that was trusted and then set back is in doubt when it is ahead again', async () => {
  await runAt('2027-09-07T12:00:00Z')
  await account.post('settings_history', settings('2026-08-03', withoutDelay))
  for (const instant of ['2026-09-08T12:00:00.000Z', '2027-09-20T12:00:00.000Z']) {
    service.clock.set(instant)
    await service.service.runDueJobs()
  }
  expect((await closedDates()).at(-1)).toBe('2026-10-12')
})

test('[D3.57] a clock in doubt holds back no recomputation', async () => {
  const id = await account.post('settings_history', settings('2025-06-02', withoutDelay))
  await runAt('2026-09-07T12:00:00Z')
  service.clock.set('2027-09-07T12:00:00.000Z')
  await account.put(
    'settings_history',
    id,
    settings('2025-06-02', { ...withoutDelay, target_ms: Array(7).fill(hours(3)) }),
  )
  expect((await account.balance()).recomputing).toHaveLength(1)
  await service.service.runDueJobs()
  expect((await account.balance()).recomputing).toEqual([])
  await account.expectCorrect()
})

test('[D3.59] periods that auto-close closed by a wrong clock are reopened, and closed again when due', async () => {
  await account.post('settings_history', settings('2026-08-03', withoutDelay))
  await runAt('2026-09-07T12:00:00Z')
  const before = await closedDates()
  await runAt('2027-09-07T12:00:00Z')
  await account.reopenWeek('2026-W40')
  // A day that a late edit settled anew is undone, too.
  await account.post('entries', work('2026-12-01T08:00Z', '2026-12-01T12:00Z'))
  const undo = () => undoSince('2027-09-07T12:00:00Z')
  service.clock.set('2026-09-08T12:00:00.000Z')
  expect(await undo()).toEqual({ days: 365 - 7, weeks: 52 - 1 })
  expect(await closedDates()).toEqual(before)
  expect(await undo()).toEqual({ days: 0, weeks: 0 })
  await runAt('2026-09-08T12:00:00Z')
  expect(await closedDates()).toEqual([...before, '2026-09-07'])
  await runAt('2026-10-13T12:00:00Z')
  // A week that the user reopened stays open.
  const open = dates('2026-09-28', '2026-10-04')
  expect(await closedDates()).toEqual(dates('2026-08-03', '2026-10-12').filter((date) => !open.includes(date)))
  expect((await account.list('/api/closed-weeks')).map(({ week }) => week)).not.toContain('2026-W40')
  await account.expectCorrect()
})

test('[D2.32] [D3.59] undoing auto-close leaves closed what a user closed, even if recomputed since', async () => {
  await account.post('settings_history', settings('2026-08-05', withoutDelay))
  service.clock.set('2026-08-07T12:00:00.000Z')
  await account.closeDay('2026-08-05')
  await runAt('2026-08-24T12:00:00Z')
  await account.reopenWeek('2026-W33')
  await account.closeWeek('2026-W33')
  // Late entries recompute days that the user closed and days that auto-close closed.
  for (const date of ['2026-08-05', '2026-08-06', '2026-08-12']) {
    await account.post('entries', work(`${date}T08:00Z`, `${date}T12:00Z`))
  }
  // Settings that begin earlier close days of a week that auto-close closed.
  await account.post('settings_history', settings('2026-08-03', withoutDelay))
  await service.service.runDueJobs()
  const [byUser, byAuto] = [await account.day('2026-08-05'), await account.day('2026-08-06')]
  expect([byUser.closed_by, byUser.first_closed_by]).toEqual(['recompute', 'user'])
  expect([byAuto.closed_by, byAuto.first_closed_by]).toEqual(['recompute', 'auto'])
  expect((await account.day('2026-08-03')).first_closed_by).toBe('recompute')
  expect((await account.week('2026-W33')).first_closed_by).toBe('user')

  expect(await undoSince('2026-08-01T00:00:00Z')).toEqual({ days: 4 + 2 + 7, weeks: 2 })
  expect(await closedDates()).toEqual(['2026-08-05', ...dates('2026-08-10', '2026-08-16')])
  expect(await closedWeeks()).toEqual(['2026-W33'])
  await account.expectCorrect()
})

test('[D2.32] [D3.59] undoing auto-close leaves closed a day that the user reopened and closed again', async () => {
  await account.post('settings_history', settings('2026-11-09', withoutDelay))
  await runAt('2026-11-12T12:00:00Z')
  await account.reopenDay('2026-11-10')
  await account.closeDay('2026-11-10')
  const day = await account.day('2026-11-10')
  expect([day.closed_by, day.first_closed_by, day.revision]).toEqual(['user', 'user', 2])

  expect(await undoSince('2026-11-01T00:00:00Z')).toEqual({ days: 2, weeks: 0 })
  expect(await closedDates()).toEqual(['2026-11-10'])
  // Of the two days that are open again, the user closes one and auto-close the other.
  await account.closeDay('2026-11-09')
  await service.service.runDueJobs()
  expect(await undoSince('2026-11-01T00:00:00Z')).toEqual({ days: 1, weeks: 0 })
  expect(await closedDates()).toEqual(['2026-11-09', '2026-11-10'])
  await account.expectCorrect()
})

test('[D2.32] [D3.59] a week that was reopened and closed again was closed then, and so were its days', async () => {
  await account.post('settings_history', settings('2026-08-03', withoutDelay))
  await runAt('2026-09-07T12:00:00Z')
  await account.reopenWeek('2026-W33')
  service.clock.set('2026-09-08T12:00:00.000Z')
  await account.closeWeek('2026-W33')
  for (const closed of [await account.week('2026-W33'), await account.day('2026-08-10')]) {
    expect(closed.closed_at).toBe(closed.updated_at)
    expect(closed.first_closed_by).toBe('user')
  }
})

test('[D3.59] undoing auto-close leaves closed what a recomputation closed in a week of the user', async () => {
  service.clock.set('2026-08-10T12:00:00.000Z')
  await account.post('settings_history', settings('2026-08-05', withoutDelay))
  await account.closeWeek('2026-W32')
  await runAt('2026-08-24T12:00:00Z')
  await account.post('settings_history', settings('2026-08-03', withoutDelay))
  expect((await account.day('2026-08-03')).first_closed_by).toBe('recompute')

  expect(await undoSince('2026-08-01T00:00:00Z')).toEqual({ days: 2 * 7, weeks: 2 })
  expect(await closedDates()).toEqual(dates('2026-08-03', '2026-08-09'))
})

test('[D3.59] [D27.7] a week whose days the user has closed is closed again, and locked months stay', async () => {
  service.clock.set('2026-08-10T12:00:00.000Z')
  await account.post('settings_history', settings('2026-08-03', withoutDelay))
  for (const date of dates('2026-08-03', '2026-08-09')) await account.closeDay(date)
  await runAt('2026-08-24T12:00:00Z')
  expect(await undoSince('2026-08-01T00:00:00Z')).toEqual({ days: 2 * 7, weeks: 3 })
  await service.service.runDueJobs()
  expect(await closedWeeks()).toEqual(['2026-W32', '2026-W33', '2026-W34'])
  const locked = {
    month: '2026-08',
    company: 1,
    state: 'locked',
    at: '2026-09-01T00:00:00.000Z',
    reason: null,
    digest: null,
  } as const
  const lock = (writer: UserWriter) => writer.putMonth({ ...locked, by: account.user })
  await service.beside(({ records }) => records.write(account.user, lock))
  expect(await undoSince('2026-08-01T00:00:00Z')).toEqual({ days: 0, weeks: 0 })
})

test('[D3.40] after years of downtime, days close in date order in bounded parts, through restarts', async () => {
  await account.post('settings_history', settings('2024-01-10', closing(hours(2), 3)))
  await account.post('entries', work('2024-05-07T20:00Z', '2024-05-08T03:00Z'))
  await account.post('entries', absence('vacation', '2025-08-01'))
  service.clock.set('2026-11-21T12:00:00.000Z')
  await rememberClock()
  for (let restarts = 0; restarts < 3; restarts += 1) {
    const run = service.service.runDueJobs()
    const before = await account.version()
    while ((await account.version()) < before + 200);
    await service.restart()
    await run
    const closed = await closedDates()
    // There are no gaps: all days up to a date are closed.
    expect(closed).toEqual(dates('2024-01-10', closed.at(-1) ?? ''))
    expect(closed.length).toBeLessThan(1_040)
  }
  await service.service.runDueJobs()
  expect(await closedDates()).toEqual(dates('2024-01-10', '2026-11-20'))
  expect(await closedWeeks()).toEqual([...new Set(dates('2024-01-10', '2026-11-15').map(isoWeek))])

  // The records of one transaction have one tag: seven days and a week at most.
  const { driver, close } = await service.openBeside()
  const parts = await driver.all<{ n: number }>('SELECT count(*) AS n FROM sync_log WHERE user_id = $1 GROUP BY tag', [
    account.user,
  ])
  await close()
  expect(Math.max(...parts.map(({ n }) => n))).toBe(7 + 1)
  const days = await account.list('/api/closed-days')
  expect(days.map(({ version }) => version)).toEqual(days.map(({ version }) => Number(version)).sort((a, b) => a - b))
  await account.expectCorrect()
})

test('[D3.39] a reopened day and its week stay open until the user closes the day', async () => {
  await account.post('settings_history', settings('2026-11-09', closing(0, 1)))
  await runAt('2026-11-12T12:00:00Z')
  await account.reopenDay('2026-11-10')
  await runAt('2026-11-21T12:00:00Z')
  expect(await closedDates()).toEqual(dates('2026-11-09', '2026-11-20').filter((date) => date !== '2026-11-10'))
  expect(await closedWeeks()).toEqual([])
  // Neither a restart nor another run changes that.
  await account.post('settings_history', settings('2026-11-08', closing(0, 1)))
  await service.restart()
  await runAt('2026-11-21T13:00:00Z')
  expect(await closedWeeks()).toEqual(['2026-W45'])
  await account.expectCorrect()

  await account.closeDay('2026-11-10')
  expect(await closedWeeks()).toEqual(['2026-W45'])
  await service.service.runDueJobs()
  expect(await account.week('2026-W46')).toMatchObject({ closed_by: 'auto', revision: 1 })
  expect(await account.day('2026-11-10')).toMatchObject({ closed_by: 'user', revision: 2 })
  await account.expectCorrect()
})

test('[D3.39] a reopened week and its days stay open until the user closes the week', async () => {
  const id = await account.post('settings_history', settings('2026-11-04', closing(0, 1)))
  await runAt('2026-11-18T12:00:00Z')
  expect(await closedWeeks()).toEqual(['2026-W45', '2026-W46'])
  await account.reopenWeek('2026-W45')
  await account.put('settings_history', id, settings('2026-11-04', closing(hours(1), 2)))
  await runAt('2026-11-25T12:00:00Z')
  expect(await closedWeeks()).toEqual(['2026-W46', '2026-W47'])
  expect(await closedDates()).toEqual(dates('2026-11-09', '2026-11-24'))
  // The user reopened the week, so closing single days does not close it.
  for (const date of dates('2026-11-04', '2026-11-08')) await account.closeDay(date)
  await runAt('2026-11-25T13:00:00Z')
  expect(await closedWeeks()).toEqual(['2026-W46', '2026-W47'])
  await account.closeWeek('2026-W45')
  await runAt('2026-11-25T14:00:00Z')
  expect(await closedWeeks()).toEqual(['2026-W45', '2026-W46', '2026-W47'])
  await account.expectCorrect()
})

test('[D3.20] an empty week closes with its whole target missing; a partial first week counts its days', async () => {
  await account.post('settings_history', settings('2026-11-05', closing(hours(100), 0)))
  await runAt('2026-11-16T00:00:00Z')
  expect(await account.week('2026-W45')).toMatchObject({ target_ms: hours(16), delta_ms: hours(-16) })
  expect(await account.week('2026-W46')).toMatchObject({ target_ms: hours(40), worked_ms: 0, delta_ms: hours(-40) })
  // A week that is due also closes those of its days that are not due yet.
  expect(await closedDates()).toEqual(dates('2026-11-05', '2026-11-15'))
  await account.expectCorrect()
})

test('[D3.38] settings that switch auto-close on, change it or switch it off affect only open days', async () => {
  const id = await account.post('settings_history', settings('2026-10-01'))
  await runAt('2026-11-21T12:00:00Z')
  expect(await closedDates()).toEqual([])
  await account.put('settings_history', id, settings('2026-10-01', closing(10 * DAY_MS, 20)))
  await service.service.runDueJobs()
  expect(await closedDates()).toEqual(dates('2026-10-01', '2026-11-10').filter((date) => date <= '2026-11-10'))
  expect((await closedWeeks()).at(-1)).toBe('2026-W43')
  await account.put('settings_history', id, settings('2026-10-01', closing(hours(1), 2)))
  await service.service.runDueJobs()
  expect((await closedDates()).at(-1)).toBe('2026-11-20')
  expect((await closedWeeks()).at(-1)).toBe('2026-W46')
  await account.put('settings_history', id, settings('2026-10-01'))
  await runAt('2026-12-31T12:00:00Z')
  expect((await closedDates()).at(-1)).toBe('2026-11-20')
  await account.expectCorrect()

  // With a row in the past, only its dates are closed.
  const past = await account.post('settings_history', settings('2026-09-16', withoutDelay))
  await service.service.runDueJobs()
  expect(await closedDates()).toEqual(dates('2026-09-16', '2026-11-20'))
  expect((await closedWeeks())[0]).toBe('2026-W38')
  await account.delete('settings_history', id)
  await service.service.runDueJobs()
  expect(await closedDates()).toEqual(dates('2026-09-16', '2026-12-30'))
  await account.delete('settings_history', past)
  await runAt('2027-02-01T12:00:00Z')
  expect((await closedDates()).at(-1)).toBe('2026-12-30')
  await account.expectCorrect()
})

test('[D3.36] a change of the time zone moves the hour at which a day is due', async () => {
  await account.post('settings_history', settings('2026-11-16', { ...withoutDelay, time_zone: 'Pacific/Kiritimati' }))
  // In Kiritimati it is fourteen hours later: Friday ends at ten in the morning in UTC.
  await runAt('2026-11-20T10:00:00Z')
  expect((await closedDates()).at(-1)).toBe('2026-11-20')
  await account.post('settings_history', settings('2026-11-21', { ...withoutDelay, time_zone: 'Pacific/Pago_Pago' }))
  await runAt('2026-11-22T10:59:59.999Z')
  expect((await closedDates()).at(-1)).toBe('2026-11-20')
  await runAt('2026-11-22T11:00:00Z')
  expect((await closedDates()).at(-1)).toBe('2026-11-21')
  await account.expectCorrect()
})

test('[D3.36] days that settings bring into the account are closed if those settings ask for it', async () => {
  const id = await account.post('settings_history', settings('2026-11-12', withoutDelay))
  await runAt('2026-11-18T12:00:00Z')
  await account.put('settings_history', id, settings('2026-10-29', withoutDelay))
  await service.service.runDueJobs()
  expect(await closedDates()).toEqual(dates('2026-10-29', '2026-11-17'))
  expect(await closedWeeks()).toEqual(['2026-W44', '2026-W45', '2026-W46'])
  await account.expectCorrect()
})

test('[D3.38] every user is closed by their own settings and time zone', async () => {
  const others = [await TestAccount.open(service), await TestAccount.open(service), await TestAccount.open(service)]
  const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu']
  for (const [index, other] of others.entries()) {
    await other.post('settings_history', settings('2026-11-18', { ...withoutDelay, time_zone: zones[index] }))
  }
  await runAt('2026-11-21T10:30:00Z')
  const lasts = others.map(async (other) => (await other.list('/api/closed-days')).at(-1)?.date)
  expect(await Promise.all(lasts)).toEqual(['2026-11-21', '2026-11-19', '2026-11-20'])
  expect(await closedDates()).toEqual([])
})
