import { MINUTE_MS } from '@saldo/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { dates, isoWeek, weekday } from '../../../core/test/naive-account.ts'
import { serviceOfFile } from '../file-service.ts'
import { kinds, ModelClient } from './model-client.ts'
import { iso, numbered, readTasks, type Task, targets, timed } from './real-data.ts'
import { hours } from './samples.ts'
import type { SentChange } from './sent-records.ts'
import { TestAccount } from './test-account.ts'

/** The largest step that divides all times of the ten years: half a pomodoro takes 12:30. */
const HALF_MINUTE_MS = 30_000

const service = await serviceOfFile({ now: '2019-03-01T12:00:00.000Z' })

async function inBatches<T>(items: readonly T[], size: number, send: (batch: T[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length; at += size) await send(items.slice(at, at + size))
}

describe('ten years of pomodoros', () => {
  const { tasks, pomodoros } = readTasks()
  const worked = tasks.flatMap((task) => task.pomodoros).reduce((sum, { start, end }) => sum + (end - start), 0)
  const nextId = numbered('2')
  let account: TestAccount
  let device: ModelClient

  const settings = {
    first: { effective_from: '2009-04-08', time_zone: 'Europe/Rome', target_ms: targets(8, 8, 8, 8, 8, 0, 0) },
    partTime: { effective_from: '2011-03-01', time_zone: 'Europe/Rome', target_ms: targets(6, 6, 6, 6, 0, 0, 0) },
    withBreaks: {
      effective_from: '2012-10-01',
      time_zone: 'Europe/Rome',
      target_ms: targets(7.6, 7.6, 7.6, 7.6, 7.6, 0, 0),
      break_policy: breakPolicy(15),
    },
    // In Eucla, 8:45 ahead of UTC, midnight falls into a Roman afternoon, and there into the middle of a pomodoro.
    abroad: {
      effective_from: '2014-03-05',
      time_zone: 'Australia/Eucla',
      target_ms: targets(8, 8, 8, 8, 8, 0, 0),
      break_policy: breakPolicy(15),
    },
    back: {
      effective_from: '2014-11-13',
      time_zone: 'Europe/Rome',
      target_ms: targets(8, 8, 8, 8, 8, 0, 0),
      break_policy: breakPolicy(5),
    },
    halfTime: { effective_from: '2016-06-01', time_zone: 'Europe/Rome', target_ms: targets(4, 4, 4, 4, 4, 0, 0) },
    last: {
      effective_from: '2018-01-01',
      time_zone: 'Europe/Rome',
      // An odd number, so that half of it is not a whole number of milliseconds.
      target_ms: [27_360_001, 27_360_001, 27_360_001, 27_360_001, 27_360_001, 0, 0],
    },
  }
  const ids: Partial<Record<keyof typeof settings, string>> = {}

  function breakPolicy(minPieceMinutes: number) {
    const rules = [
      { worked_above_ms: hours(6), required_ms: 30 * MINUTE_MS },
      { worked_above_ms: hours(9), required_ms: 45 * MINUTE_MS },
    ]
    return { rules, min_piece_ms: minPieceMinutes * MINUTE_MS }
  }

  /** Returns one entry per pomodoro, as a timer writes them. */
  const eachPomodoro = ({ pomodoros, tag }: Task): SentChange[] =>
    pomodoros.map((stretch) => entry(timed('work', stretch, { tags: [tag] })))

  /** Returns one entry per task with the pauses as breaks: the same time as one entry per pomodoro. */
  const wholeTask = ({ pomodoros, tag }: Task): SentChange[] => {
    const [first, ...rest] = pomodoros
    const last = pomodoros.at(-1)
    if (!first || !last) return []
    const pauses = rest.map(({ start }) => entry(timed('break', { start: start - 5 * MINUTE_MS, end: start })))
    return [...pauses, entry(timed('work', { start: first.start, end: last.end }, { project: tag }))]
  }

  const entry = (content: object): SentChange => ({ kind: 'entries', id: nextId(), content })
  const absence = (kind: string, date: string, day_share = 1) => entry({ kind, date, day_share })

  /** Returns days off of every kind in each year. */
  function absences(): SentChange[] {
    const changes: SentChange[] = []
    for (let year = 2009; year <= 2018; year += 1) {
      for (const day of ['12-25', '12-26', '01-01', '05-01']) changes.push(absence('public_holiday', `${year}-${day}`))
      for (const date of dates(`${year}-08-10`, `${year}-08-21`)) {
        if (weekday(date) < 6) changes.push(absence('vacation', date))
      }
      changes.push(absence('public_holiday', `${year}-12-24`, 0.5), absence('vacation', `${year}-12-24`, 0.5))
      changes.push(absence('sick', `${year}-09-16`, 0.5), absence('sick', `${year}-03-17`, 0.333))
      changes.push(absence('paid_other', `${year}-10-13`, 0.25), absence('unpaid', `${year}-11-02`, 0.125))
      changes.push(absence('time_off_in_lieu', `${year}-12-31`), absence('sick', `${year}-05-01`))
    }
    return changes
  }

  beforeAll(async () => {
    account = await TestAccount.open(service, HALF_MINUTE_MS)
    device = new ModelClient(account.call, 1_000)
    let byPush = false
    for (const [name, content] of Object.entries(settings)) {
      const change: SentChange = { kind: 'settings_history', id: nextId(), content }
      ids[name as keyof typeof settings] = change.id
      await account.apply(change, byPush ? 'push' : 'rest')
      byPush = !byPush
    }
    const [early, late] = [tasks.filter(({ date }) => date < '2010-06'), tasks.filter(({ date }) => date >= '2010-06')]
    const byRest = early.flatMap(eachPomodoro)
    await inBatches(byRest, 32, (some) =>
      Promise.all(some.map(({ kind, id, content }) => account.post(kind, content ?? {}, id))),
    )
    await device.pull()
    await inBatches([...late.flatMap(wholeTask), ...absences()], 500, (batch) => account.push(batch))
    // Two uneven halves, so that the device pulls both a snapshot and changes.
    for (const week of weeksUpTo('2015-W20')) await account.closeWeek(week)
    await device.pull()
    for (const week of weeksUpTo('2019-W08').slice(weeksUpTo('2015-W20').length)) await account.closeWeek(week)
  })

  function weeksUpTo(last: string): string[] {
    const weeks = new Set(dates('2009-04-08', '2019-02-24').map(isoWeek))
    return [...weeks].filter((week) => week <= last)
  }

  /** Expects that the second device has the records of the service after a pull. */
  async function expectDeviceConverges(): Promise<void> {
    const fresh = new ModelClient(account.call)
    await fresh.pull()
    await device.pull()
    for (const kind of kinds) {
      expect(device.all(kind)).toEqual(fresh.all(kind))
    }
    const lists = { closed_days: '/api/closed-days', closed_weeks: '/api/closed-weeks', entries: '/api/entries' }
    for (const [kind, path] of Object.entries(lists)) {
      const held = fresh.all(kind as (typeof kinds)[number])
      const listed = await account.list(path)
      expect(held.size).toBe(listed.length)
      expect(held).toEqual(new Map(listed.map((record) => [record.id, record])))
    }
    expect(new Set(fresh.all('entries').keys())).toEqual(new Set(account.all('entries').keys()))
  }

  test('[R1.4] [R2.7] [D3.10] all closings and the balance equal the naive account by the minute', async () => {
    expect(await account.expectCorrect()).toEqual({ days: 3_610, weeks: 516 })
    const weeks = await account.list('/api/closed-weeks')
    const total = weeks.reduce((sum, week) => sum + Number(week.worked_ms), 0)
    expect(total).toBe(worked)
    expect(total).toBe(Math.round(pomodoros * 25 * MINUTE_MS))
  })

  test('[R3.3] [R3.10] [D5.7] a second device pulls all records', expectDeviceConverges)

  test('[R1.4] [R3.2] [R3.8] [D3.27] late edits recompute the closed weeks', async () => {
    const entries = [...account.all<{ kind: string; started_at?: string; ended_at?: string }>('entries')]
    const late = new Map<string, object | null>()
    for (const [index, [id, content]] of entries.entries()) {
      const { started_at, ended_at } = content
      if (started_at === undefined || ended_at === undefined) continue
      const moved = (ms: number) => iso(Date.parse(started_at) + ms)
      if (index % 97 === 0) late.set(id, { ...content, ended_at: iso(Date.parse(ended_at) + 10 * MINUTE_MS) })
      if (index % 211 === 0) late.set(id, null)
      if (index % 499 === 0) late.set(id, { ...content, started_at: moved(hours(200)), ended_at: moved(hours(202)) })
      if (index % 733 === 0) late.set(id, { kind: 'sick', date: started_at.slice(0, 10), day_share: 0.5 })
    }
    const changes = [...late].map(([id, content]): SentChange => ({ kind: 'entries', id, content }))
    const [byRest, byPush] = [
      changes.filter((_, index) => index % 3 === 0),
      changes.filter((_, index) => index % 3 > 0),
    ]
    for (const change of byRest) await account.apply(change, 'rest')
    await inBatches(byPush, 50, (batch) => account.push(batch))
    // The user enters a whole week again in one night.
    const busy = Array.from({ length: 120 }, (_, index) => {
      const start = Date.parse('2013-05-06T04:00:00Z') + index * 70 * MINUTE_MS
      return entry(timed(index % 5 === 0 ? 'break' : 'work', { start, end: start + 60 * MINUTE_MS }))
    })
    await account.push(busy)

    const adjustment = (effective_date: string, kind: string, deltaHours: number): SentChange => ({
      kind: 'balance_adjustments',
      id: nextId(),
      content: { effective_date, kind, delta_ms: hours(deltaHours), reason: `${kind} of ${effective_date}` },
    })
    const [opening, payout, expiry, wrong] = [
      adjustment('2009-04-08', 'opening', 12.25),
      adjustment('2013-12-31', 'payout', -40),
      adjustment('2020-01-01', 'expiry', -5),
      adjustment('2017-01-01', 'correction', 1),
    ]
    await account.apply(opening, 'rest')
    await account.push([payout, expiry])
    await account.apply(wrong, 'rest')
    await account.apply({ ...wrong, content: null }, 'push')
    await account.apply({ ...payout, content: { ...payout.content, delta_ms: hours(-30) } }, 'rest')

    await account.expectCorrect()
    expect((await account.balance()).future_adjustments_delta_ms).toBe(hours(-5))
    await expectDeviceConverges()
  })

  test('[R2.4] [R2.5] [D3.32] settings changed years later recompute all days, many of them by a job', async () => {
    const id = (name: keyof typeof settings) => ids[name] ?? ''
    // Months of closed days are recomputed by a job.
    const abroad = { ...settings.abroad, effective_from: '2014-03-10', break_policy: null }
    await account.apply({ kind: 'settings_history', id: id('abroad'), content: abroad }, 'push')
    expect((await account.balance()).recomputing).toHaveLength(1)
    await service.service.runDueJobs()
    await account.expectCorrect()

    // Years of closed days, and others: a job each; the account begins earlier, so days enter its first week.
    await account.put('settings_history', id('partTime'), {
      ...settings.partTime,
      target_ms: targets(5, 5, 5, 5, 5, 0, 0),
    })
    await account.push([
      { kind: 'settings_history', id: id('halfTime'), content: null },
      { kind: 'settings_history', id: nextId(), content: { ...settings.first, effective_from: '2009-04-06' } },
    ])
    expect((await account.balance()).recomputing).not.toEqual([])
    await service.service.runDueJobs()
    expect(await account.expectCorrect()).toEqual({ days: 3_612, weeks: 516 })
    await expectDeviceConverges()
  })

  test('[R2.7] [D3.41] reopened weeks count as open in the balance until they are closed again', async () => {
    const reopened = ['2010-W02', '2014-W12', '2016-W53', '2015-W53', '2019-W08'].filter((week) =>
      weeksUpTo('2019-W08').includes(week),
    )
    for (const week of reopened) await account.reopenWeek(week)
    await account.push([
      entry(timed('work', { start: Date.parse('2019-02-23T22:30Z'), end: Date.parse('2019-02-24T23:30Z') })),
      entry(timed('work', { start: Date.parse('2014-03-22T14:30Z'), end: Date.parse('2014-03-23T16:30Z') })),
    ])
    const { weeks } = await account.expectCorrect()
    expect(weeks).toBe(516 - reopened.length)
    for (const week of reopened) await account.closeWeek(week)
    expect((await account.expectCorrect()).weeks).toBe(516)
    await expectDeviceConverges()
  })

  test('[D3.3] the data have pomodoros that run past midnight', () => {
    const nights = tasks
      .filter(({ date }) => date > settings.abroad.effective_from && date < settings.back.effective_from)
      .flatMap((task) => task.pomodoros)
      .filter(({ start, end }) => {
        const date = (ms: number) =>
          Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('Australia/Eucla').toPlainDate()
        return !date(start).equals(date(end - 1))
      })
    expect(nights.length).toBeGreaterThan(0)
  })
})
