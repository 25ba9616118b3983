import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cause } from '@saldo/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { dates, isoWeek, type NaiveDay, plusDays, sumOf } from '../../../core/test/naive-account.ts'
import { runsOf } from '../../../core/test/tier.ts'
import { runAutoClose } from '../../src/account/auto-close-job.ts'
import { AUTO_CLOSE_JOB, type AutoCloseTask } from '../../src/account/enqueue-auto-close.ts'
import type { Job } from '../../src/store/store.ts'
import { serviceOfFile } from '../file-service.ts'
import { heavyTest } from '../heavy-test.ts'
import { entry } from '../store/samples.ts'
import { ModelClient } from './model-client.ts'
import { absence, hours, settings, work } from './samples.ts'
import type { SentChange } from './sent-records.ts'
import { TestAccount } from './test-account.ts'

const TODAY = '2026-11-21'
/** Days of many pieces of a job. The first is a Wednesday, so that the first week has work days. */
const MANY_DAYS = runsOf(199, 3_650)
const sixHours = { target_ms: [6, 6, 6, 6, 0, 0, 0].map(hours) }
const withoutDelay = { auto_close: { day_after_ms: 0, week_after_days: 0 } }

let account: TestAccount
const service = await serviceOfFile()
beforeEach(async () => {
  service.clock.set(`${TODAY}T12:00:00.000Z`)
  account = await TestAccount.open(service)
})

const runJobs = () => service.service.runDueJobs()
const recomputing = async () => (await account.balance()).recomputing

/** Closes the last `days` days and their weeks, with some nights of work. Returns the id of the settings. */
async function closedFor(days: number): Promise<string> {
  const first = plusDays(TODAY, -days)
  const nights = dates(first, plusDays(TODAY, -1)).flatMap((date, index): SentChange[] => {
    if (index % 6 > 0) return []
    const start = `${date}T20:00:00.000Z`
    return [
      { kind: 'entries', id: randomUUID(), content: work(start, new Date(Date.parse(start) + hours(6)).toISOString()) },
    ]
  })
  for (let at = 0; at < nights.length; at += 1_000) await account.push(nights.slice(at, at + 1_000))
  const id = await account.post('settings_history', settings(first, withoutDelay))
  await runJobs()
  expect((await account.expectCorrect()).days).toBe(days)
  return id
}

test('[D3.32] 100 closed days are recomputed in the transaction, 101 by a job', async () => {
  const id = await closedFor(100)
  const first = plusDays(TODAY, -100)
  await account.put('settings_history', id, settings(first, { ...withoutDelay, ...sixHours }))
  expect(await recomputing()).toEqual([])
  await account.expectCorrect()

  service.clock.set('2026-11-22T12:00:00.000Z')
  await runJobs()
  const before = await account.list('/api/closed-days')
  expect(before.length).toBe(101)
  const version = await account.version()
  await account.put('settings_history', id, settings(first, withoutDelay))
  expect(await account.version()).toBe(version + 1)
  expect(await account.list('/api/closed-days')).toEqual(before)
  expect(await recomputing()).toEqual([{ from: first, to: '2026-11-22' }])
  await runJobs()
  expect(await recomputing()).toEqual([])
  await account.expectCorrect()
})

test('[D3.31] a job revises each day and week once, with its causes, and pull delivers them', async () => {
  const id = await closedFor(MANY_DAYS)
  const device = new ModelClient(account.call)
  await device.pull()
  const kyiv = { time_zone: 'Europe/Kyiv' }
  await account.push([
    {
      kind: 'settings_history',
      id,
      content: settings(plusDays(TODAY, -MANY_DAYS), { ...withoutDelay, ...sixHours, ...kyiv }),
    },
  ])
  expect(await recomputing()).toHaveLength(1)
  await runJobs()
  expect(await recomputing()).toEqual([])
  expect(await account.expectCorrect()).toMatchObject({ days: MANY_DAYS })
  for (const week of await account.list('/api/closed-weeks')) {
    const { revision, revisions } = week as { revision: number; revisions: object[] }
    expect(revision).toBe(2)
    expect(revisions.at(-1)).toMatchObject({ causes: [{ kind: 'settings_history', id, op: 'update', count: 1 }] })
  }
  const revised = (await account.list('/api/closed-days')).map(({ revision }) => revision)
  expect(new Set(revised)).toEqual(new Set([2]))
  await device.pull()
  const fresh = new ModelClient(account.call)
  await fresh.pull()
  expect(device.all('closed_days')).toEqual(fresh.all('closed_days'))
  expect(device.all('closed_weeks')).toEqual(fresh.all('closed_weeks'))
})

test('[D3.27] while a job waits, an edit in its range recomputes its days in the transaction', async () => {
  const id = await closedFor(220)
  await account.put('settings_history', id, settings(plusDays(TODAY, -220), { ...withoutDelay, ...sixHours }))
  const edited = await account.post('entries', work('2026-06-03T08:00Z', '2026-06-03T12:00Z'))
  await account.push([{ kind: 'entries', id: randomUUID(), content: absence('sick', '2026-06-04') }])

  const expected = account.expected()
  for (const date of ['2026-06-03', '2026-06-04']) {
    expect(await account.day(date)).toMatchObject(expected.day(date))
  }
  const week = await account.week('2026-W23')
  const days = await account.list('/api/closed-days', '&from=2026-06-01&to=2026-06-07')
  expect(week.delta_ms).toBe(days.reduce((sum, day) => sum + Number(day.delta_ms), 0))
  const sorts = week.revisions.map(({ causes: [cause] }: { causes: [Cause] }) => [cause.kind, cause.entry_type])
  expect(sorts).toEqual([
    ['closed_weeks', null],
    ['entries', 'timed'],
    ['entries', 'absence'],
  ])
  expect(await account.day('2026-06-05')).toMatchObject({ revision: 1, target_ms: hours(8) })
  expect(await recomputing()).toHaveLength(1)

  await account.delete('entries', edited)
  await runJobs()
  await account.expectCorrect()
})

test('[D3.56] changes of dates that wait already are recomputed with them, once, as further causes', async () => {
  const id = await closedFor(260)
  const first = plusDays(TODAY, -260)
  for (const target of [6, 5, 4]) {
    const target_ms = Array(7).fill(hours(target))
    await account.put('settings_history', id, settings(first, { ...withoutDelay, target_ms }))
  }
  const middle = await account.post('settings_history', settings('2026-06-01', { ...withoutDelay, ...sixHours }))
  const beside = await service.openBeside()
  const jobs = await beside.records.read(account.user, (reader) => reader.jobs())
  await beside.close()
  const tasks = jobs.flatMap(({ task }) => (task.kind === 'recompute' ? [task] : []))
  expect(tasks.map(({ ranges }) => ranges.map(({ from }) => from))).toEqual([[first]])
  expect(tasks[0]?.causes).toMatchObject([
    { id, op: 'update', count: 3 },
    { id: middle, op: 'create', count: 1, from: '2026-05-31' },
  ])
  await runJobs()
  expect(await account.expectCorrect()).toMatchObject({ days: 260 })
  const opsOf = async (week: string) =>
    (await account.week(week)).revisions.at(-1).causes.map(({ op, count }: Cause) => [op, count])
  expect(await opsOf('2026-W20')).toEqual([['update', 3]])
  expect(await opsOf('2026-W30')).toEqual([
    ['update', 3],
    ['create', 1],
  ])
  const revised = (await account.list('/api/closed-days')).map(({ revision }) => revision)
  expect(new Set(revised)).toEqual(new Set([2]))
})

test('[D3.34] a job survives a stop and a kill between two of its pieces', async () => {
  const id = await closedFor(494)
  const first = plusDays(TODAY, -494)
  const begun = async () => {
    const run = runJobs()
    let [range] = await recomputing()
    while (range && range.from === first) [range] = await recomputing()
    return { run, from: range?.from as string }
  }
  await account.put('settings_history', id, settings(first, { ...withoutDelay, ...sixHours }))
  const stopped = await begun()
  await service.restart()
  await stopped.run
  const [left] = await recomputing()
  expect(left.from >= stopped.from).toBe(true)

  // A kill leaves the files as they are at that moment.
  const image = mkdtempSync(join(tmpdir(), 'saldo-image-'))
  const run = runJobs()
  let from = left.from
  while (from === left.from) [{ from }] = await recomputing()
  cpSync(service.dataDir, image, { recursive: true })
  await service.restart(() => {
    rmSync(service.dataDir, { recursive: true })
    cpSync(image, service.dataDir, { recursive: true })
    rmSync(image, { recursive: true })
  })
  await run
  expect((await recomputing())[0].from >= from).toBe(true)
  const seen = await account.list('/api/closed-days')
  expect(new Set(seen.map(({ revision }) => revision))).toEqual(new Set([1, 2]))

  await runJobs()
  expect(await recomputing()).toEqual([])
  await account.expectCorrect()
  expect(new Set((await account.list('/api/closed-weeks')).map(({ revision }) => revision))).toEqual(new Set([2]))
})

test('[D3.35] the user and others are served between the pieces of a job', async () => {
  const id = await closedFor(300)
  const other = await TestAccount.open(service)
  await account.put('settings_history', id, settings(plusDays(TODAY, -300), { ...withoutDelay, ...sixHours }))
  const starts = new Set<string>()
  const run = runJobs()
  let served = 0
  for (let [range] = await recomputing(); range; [range] = await recomputing()) {
    starts.add(range.from)
    await other.post('entries', work('2026-11-10T08:00Z', '2026-11-10T09:00Z'))
    served += 1
  }
  await run
  expect(starts.size).toBeGreaterThan(5)
  expect(served).toBeGreaterThan(5)
  // The records of one transaction have one tag: the days of a week and the week.
  const { driver, close } = await service.openBeside()
  const pieces = await driver.all<{ n: number }>(
    `SELECT COUNT(*) AS n FROM sync_log WHERE user_id = $1 AND kind <> 'entries' GROUP BY tag`,
    [account.user],
  )
  await close()
  expect(Math.max(...pieces.map(({ n }) => n))).toBe(7 + 1)
  await account.expectCorrect()
  await other.expectCorrect()
})

test('[D3.34] settings, closings and reopenings while jobs wait end in a correct account', async () => {
  const id = await closedFor(360)
  const first = plusDays(TODAY, -360)
  await account.put('settings_history', id, settings(first, { ...withoutDelay, ...sixHours }))
  const second = await account.post(
    'settings_history',
    settings('2026-01-15', { time_zone: 'Pacific/Kiritimati', ...withoutDelay }),
  )
  expect((await recomputing()).length).toBeGreaterThan(0)
  await account.reopenWeek('2026-W30')
  await account.reopenWeek('2026-W02')
  const run = runJobs()
  await account.put(
    'settings_history',
    second,
    settings('2026-02-15', { time_zone: 'Pacific/Pago_Pago', ...withoutDelay }),
  )
  await account.closeWeek('2026-W30')
  await account.post('entries', work('2026-02-14T08:00Z', '2026-02-16T09:00Z'))
  await run
  await runJobs()
  expect(await recomputing()).toEqual([])
  await account.expectCorrect()
  await account.closeWeek('2026-W02')
  await account.delete('settings_history', id)
  await runJobs()
  await account.expectCorrect()
})

test('[D3.60] closed days are recomputed in the transaction among 5,000 entries, by a job among more', async () => {
  const first = plusDays(TODAY, -7)
  const id = await account.post('settings_history', settings(first))
  for (const date of dates(first, plusDays(TODAY, -3))) {
    const minutes = Array.from({ length: 1_000 }, (_, minute): SentChange => {
      const at = (ms: number) => new Date(Date.parse(`${date}T04:00:00.000Z`) + ms).toISOString()
      return { kind: 'entries', id: randomUUID(), content: work(at(minute * 60_000), at(minute * 60_000 + 30_000)) }
    })
    await account.push(minutes)
  }
  await account.closeDay(first)
  await account.put('settings_history', id, settings(first, sixHours))
  expect(await recomputing()).toEqual([])
  await account.post('entries', work(`${plusDays(TODAY, -2)}T08:00:00.000Z`, `${plusDays(TODAY, -2)}T09:00:00.000Z`))
  await account.put('settings_history', id, settings(first))
  expect(await recomputing()).not.toEqual([])
  await runJobs()
  expect(await recomputing()).toEqual([])
})

test('[D3.32] a push of entries that affect more than 100 closed days leaves a job with their ranges', async () => {
  await closedFor(300)
  const changes = dates(plusDays(TODAY, -300), plusDays(TODAY, -1))
    .filter((_, index) => index % 2 === 0)
    .map(
      (date): SentChange => ({ kind: 'entries', id: randomUUID(), content: work(`${date}T09:00Z`, `${date}T10:00Z`) }),
    )
  await account.push(changes)
  expect(await recomputing()).toHaveLength(150)
  await runJobs()
  await account.expectCorrect()
  const days = await account.list('/api/closed-days')
  expect(days.filter(({ revision }) => revision === 2)).toHaveLength(150)
  expect(new Set((await account.list('/api/closed-weeks')).map(({ revision }) => revision))).toEqual(new Set([2]))
})

test('[D3.66] a job that many imports wait for names sums of neighbouring weeks with all their dates', async () => {
  await closedFor(800)
  const days = dates(plusDays(TODAY, -800), plusDays(TODAY, -1))
  const changes = days.map((date, index): SentChange => {
    const content = index % 2 === 0 ? work(`${date}T09:00Z`, `${date}T10:00Z`) : absence('sick', date)
    return { kind: 'entries', id: randomUUID(), content: { ...content, import_ref: `csv:${index}` } }
  })
  await account.push(changes)
  await runJobs()
  await account.expectCorrect()
  let count = 0
  for (const week of await account.list('/api/closed-weeks')) {
    const { revisions } = week as unknown as { revisions: { causes: Cause[] }[] }
    const causes = revisions.at(-1)?.causes ?? []
    expect(causes.map(({ entry_type, op }) => `${entry_type} ${op}`).toSorted()).toEqual([
      'absence import',
      'timed import',
    ])
    for (const cause of causes) {
      const within = days.filter((date) => cause.from <= date && date <= cause.to)
      expect(cause.count).toBe(Math.ceil(within.length / 2))
      count = Math.max(count, cause.count)
    }
  }
  // Of two weeks.
  expect(count).toBe(7)
})

heavyTest('[D3.32] entries over the same years are recomputed once', async () => {
  await closedFor(450)
  const before = plusDays(TODAY, -1_000)
  const first = plusDays(TODAY, -440)
  const starts = Array.from({ length: 15 }, (_, index) => plusDays(first, index * 30)).filter((date) => date < TODAY)
  const entriesOver = (): SentChange[] =>
    starts.map((date) => {
      const end = plusDays(date, 30)
      const last = plusDays(TODAY, -2)
      return {
        kind: 'entries',
        id: randomUUID(),
        content: work(`${date}T09:00Z`, `${end < last ? end : last}T10:00Z`),
      }
    })
  const changes = Array.from({ length: 12 }, entriesOver).flat()
  await account.push([
    { kind: 'entries', id: randomUUID(), content: work(`${before}T09:00Z`, `${before}T10:00Z`) },
    ...changes,
  ])
  expect(await recomputing()).toEqual([{ from: first, to: plusDays(TODAY, -2) }])
  const version = await account.version()
  await runJobs()
  await account.expectCorrect()
  // From Tuesday, 2025-09-09, to Thursday, 2026-11-19.
  expect((await account.version()) - version).toBe(439 + 63)
  // Twelve of each that cover the week.
  expect((await account.week('2026-W20')).revisions.at(-1).causes).toMatchObject([{ op: 'create', count: 12 }])
})

test('[D2.28] [D2.29] an entry of years that a migration brought is served, settled and corrected', async () => {
  const first = plusDays(TODAY, -330)
  const settingsId = await closedFor(330)
  const id = randomUUID()
  const long = { id, started_at: '2026-01-09T08:00:00.000Z', ended_at: '9999-12-31T23:59:59.000Z' }
  const stores = await service.openBeside()
  await stores.records.write(account.user, (writer) =>
    writer.put([entry(id, Date.parse(long.started_at), Date.parse(long.ended_at))]),
  )
  await stores.close()
  expect((await account.call('GET', `/api/entries/${id}`)).body).toMatchObject(long)
  await account.put('settings_history', settingsId, settings(first, { ...withoutDelay, ...sixHours }))
  await runJobs()
  expect(await account.day('2026-01-09')).toMatchObject({ worked_ms: hours(15), revision: 2 })
  expect(await account.day('2026-11-19')).toMatchObject({ worked_ms: hours(24), revision: 2 })
  const refused = await account.call('PUT', `/api/entries/${id}`, { json: { kind: 'work', ...long, note: 'x' } })
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    [{ pointer: '/ended_at', detail: 'must be at most 31 days after started_at' }],
  ])
  await account.put('entries', id, work('2026-01-09T08:00Z', '2026-01-09T10:00Z'))
  await runJobs()
  await account.expectCorrect()
})

test('[D3.33] the balance shows recomputing ranges up to today; future settings have none', async () => {
  const id = await closedFor(200)
  await account.post('settings_history', settings(plusDays(TODAY, -10), withoutDelay))
  await account.push([
    { kind: 'settings_history', id, content: settings(plusDays(TODAY, -200), { ...withoutDelay, ...sixHours }) },
    { kind: 'settings_history', id: randomUUID(), content: settings('2031-01-01', sixHours) },
  ])
  expect(await recomputing()).toEqual([{ from: plusDays(TODAY, -200), to: plusDays(TODAY, -10) }])
  await runJobs()
  await account.expectCorrect()
})

heavyTest(
  '[D3.17] [D3.18] a job recomputes days without settings and closes days that enter a closed week',
  async () => {
    // 2025-04-02 is a Wednesday.
    const id = await closedFor(598)
    expect(isoWeek(plusDays(TODAY, -598))).toBe('2025-W14')
    await account.put('settings_history', id, settings('2026-06-18', withoutDelay))
    await runJobs()
    expect(await account.expectCorrect()).toMatchObject({ days: 598 })
    await account.put('settings_history', id, settings('2025-03-29', withoutDelay))
    expect(await recomputing()).toHaveLength(1)
    await runJobs()
    // Auto-close closed the days before the first week.
    expect(await account.expectCorrect()).toMatchObject({ days: 602 })
  },
)

heavyTest('[D3.20] a week that is closed while a job waits counts days that will leave the account', async () => {
  const id = await closedFor(200)
  await account.put('settings_history', id, settings('2026-11-18', withoutDelay))
  service.clock.set('2026-11-23T12:00:00.000Z')
  await account.closeWeek('2026-W47')
  const days = await account.list('/api/closed-days', '&from=2026-11-16&to=2026-11-22')
  expect(days).toHaveLength(7)
  expect((await account.week('2026-W47')).delta_ms).toBe(sumOf(days as unknown as NaiveDay[]).delta_ms)
  await account.put('settings_history', id, settings(plusDays(TODAY, -200), withoutDelay))
  await runJobs()
  await account.expectCorrect()
})

describe('[D3.18] days that enter a closed week and are closed before the job runs count in the week', () => {
  heavyTest.each([
    ['by the user', () => account.closeDay('2025-03-31'), 'user'],
    ['by auto-close', autoClose, 'auto'],
  ] as const)('%s', async (_, close, closed_by) => {
    const date = '2025-03-31'
    // 2025-04-02 is a Wednesday.
    const id = await closedFor(598)
    await account.put('settings_history', id, settings('2025-03-31', withoutDelay))
    expect(await recomputing()).toHaveLength(1)
    await close()
    expect(await account.day(date)).toMatchObject({ closed_by, revision: 1 })
    const days = await account.list('/api/closed-days', '&to=2025-04-06')
    const week = await account.week('2025-W14')
    expect(week.delta_ms).toBe(sumOf(days as unknown as NaiveDay[]).delta_ms)
    expect(week.revisions.at(-1).causes).toMatchObject([{ kind: 'closed_days', op: 'close', from: date }])
    await runJobs()
    expect(await account.expectCorrect()).toMatchObject({ days: 600 })
  })

  /** Runs auto-close before the recompute job. */
  async function autoClose(): Promise<void> {
    const { user } = account
    const stores = await service.openBeside()
    await stores.records.write(user, async (writer) => {
      const job = (await writer.jobs()).find(({ id }) => id === AUTO_CLOSE_JOB) as Job & { task: AutoCloseTask }
      await runAutoClose(writer, job.task, { user, nowMs: service.clock.now() })
    })
    await stores.close()
  }
})
