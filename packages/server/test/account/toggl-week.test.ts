import { beforeAll, describe, expect, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import { numbered, readTogglWeek, targets, timed } from './real-data.ts'
import { hours } from './samples.ts'
import type { SentChange } from './sent-records.ts'
import { TestAccount } from './test-account.ts'

const service = await serviceOfFile({ now: '2019-03-01T12:00:00.000Z' })

describe('a week of Toggl', () => {
  const week = readTogglWeek()
  let account: TestAccount

  beforeAll(async () => {
    account = await TestAccount.open(service, 1_000)
    await account.post('settings_history', {
      effective_from: '2018-10-08',
      time_zone: 'Europe/Oslo',
      target_ms: targets(7.5, 7.5, 7.5, 7.5, 7.5, 0, 0),
    })
    const id = numbered('1')
    const changes: SentChange[] = week.map(({ project, task, tags, ...stretch }) => ({
      kind: 'entries',
      id: id(),
      content: timed('work', stretch, { project, note: task, tags, time_zone: 'Europe/Oslo' }),
    }))
    for (const { kind, id, content } of changes.slice(0, 8)) await account.post(kind, content ?? {}, id)
    await account.push(changes.slice(8))
    await account.closeWeek('2018-W41')
  })

  test('[D3.5] days, week, plain sum and delta equal the figures in the README of the data', async () => {
    expect(week.reduce((sum, { start, end }) => sum + (end - start), 0)).toBe(174_127_000)
    expect(week.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(174_127)

    const days = (await account.list('/api/closed-days')).map(({ worked_ms }) => worked_ms)
    expect(days).toEqual([29_007_000, 31_676_000, 34_297_000, 26_560_000, 34_148_000, 0, 0])
    expect(await account.week('2018-W41')).toMatchObject({
      worked_ms: 155_688_000,
      target_ms: hours(37.5),
      delta_ms: 20_688_000,
    })
  })

  test('[D3.10] every day, the week and the balance equal the naive account by the second', async () => {
    expect(await account.expectCorrect()).toEqual({ days: 7, weeks: 1 })
    expect((await account.balance()).closed_weeks_delta_ms).toBe(((5 * 60 + 44) * 60 + 48) * 1000)
  })
})
