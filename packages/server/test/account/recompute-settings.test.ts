import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { dates, isoWeek } from '../../../core/test/naive-account.ts'
import { serviceOfFile } from '../file-service.ts'
import { hours, settings, work } from './samples.ts'
import type { SentChange } from './sent-records.ts'
import { TestAccount } from './test-account.ts'

let account: TestAccount
const service = await serviceOfFile()
beforeEach(async () => {
  service.clock.set('2026-11-21T12:00:00.000Z')
  account = await TestAccount.open(service)
})

const row = (content: object | null, id: string = randomUUID()): SentChange => ({
  kind: 'settings_history',
  id,
  content,
})
const sixHours = { target_ms: [6, 6, 6, 6, 0, 0, 0].map(hours) }
const inKiritimati = { time_zone: 'Pacific/Kiritimati' }
const inPagoPago = { time_zone: 'Pacific/Pago_Pago' }

async function closeWeeks(from: string, to: string): Promise<void> {
  for (const week of new Set(dates(from, to).map(isoWeek))) await account.closeWeek(week)
}

/** Adds two hours of work around every midnight in UTC, so that every moved border shows. */
async function workEveryNight(from: string, to: string): Promise<void> {
  const nights = dates(from, to).map((date): SentChange => {
    const midnight = Date.parse(date)
    const content = work(new Date(midnight - hours(1)).toISOString(), new Date(midnight + hours(1)).toISOString())
    return { kind: 'entries', id: randomUUID(), content }
  })
  await account.push(nights)
}

async function revisions(from: string, to: string): Promise<number[]> {
  return (await account.list('/api/closed-days', `&from=${from}&to=${to}`)).map((day) => day.revision as number)
}

describe.each(['rest', 'push'] as const)('settings changed by %s', (way) => {
  test('[D3.28] a row between others recomputes the days on which it is in force, and no others', async () => {
    await account.post('settings_history', settings('2026-10-01'))
    await account.post('settings_history', settings('2026-11-11', sixHours))
    await closeWeeks('2026-10-19', '2026-11-15')
    const version = await account.version()
    const change = row(settings('2026-11-04', { target_ms: [7, 7, 7, 7, 7, 0, 0].map(hours) }))
    await account.apply(change, way)
    // Wednesday to Friday, Monday and Tuesday. Weekends have no target, but their settings are others now.
    expect(await revisions('2026-11-02', '2026-11-15')).toEqual([1, 1, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1])
    expect(await account.version()).toBe(version + 1 + 7 + 2)
    const cause = { kind: 'settings_history', entry_type: null, op: 'create', count: 1, id: change.id }
    // With the days beside its range, whose borders its zone decides.
    const causes = [{ ...cause, from: '2026-11-03', to: '2026-11-11' }]
    expect((await account.week('2026-W45')).revisions.at(-1)).toMatchObject({ delta_ms: hours(-37), causes })
    expect((await account.week('2026-W46')).revisions.at(-1).causes).toEqual(causes)
    await account.expectCorrect()
  })

  test('[D3.28] a row before or after all closed days recomputes only those that it affects', async () => {
    await account.post('settings_history', settings('2026-10-14'))
    await closeWeeks('2026-10-14', '2026-11-15')
    const version = await account.version()
    await account.apply(row(settings('2026-12-01', { ...sixHours, ...inKiritimati })), way)
    await account.apply(row(settings('2026-11-17', sixHours)), way)
    await account.apply(row(settings('2020-01-01', { ...sixHours, ...inPagoPago })), way)
    await account.expectCorrect()
    // The three rows, the first day (its border moved), and what entered its week: Monday, Tuesday, the week.
    expect(await account.version()).toBe(version + 3 + 3)
  })

  test('[D3.28] a new time zone in closed weeks recomputes the day before and the day after, too', async () => {
    await account.post('settings_history', settings('2026-10-01'))
    await account.post('settings_history', settings('2026-11-09'))
    await workEveryNight('2026-10-20', '2026-11-15')
    await closeWeeks('2026-10-19', '2026-11-15')
    for (const zone of [inKiritimati, inPagoPago, { time_zone: 'America/St_Johns' }, {}]) {
      const change = row(settings('2026-11-04', zone))
      await account.apply(change, way)
      await account.expectCorrect()
      await account.apply({ ...change, content: settings('2026-11-06', { ...inPagoPago, ...zone }) }, way)
      await account.expectCorrect()
      await account.apply({ ...change, content: settings('2026-11-06', inKiritimati) }, way)
      await account.expectCorrect()
      await account.apply({ ...change, content: null }, way)
      await account.expectCorrect()
    }
  })

  test('[D3.28] a row that moves recomputes its old and its new range', async () => {
    await account.post('settings_history', settings('2026-09-01'))
    const change = row(settings('2026-11-09', sixHours))
    await account.apply(change, way)
    await closeWeeks('2026-10-05', '2026-11-15')
    for (const from of ['2026-10-14', '2026-11-13', '2026-12-24', '2026-10-05', '2026-08-01', '2026-11-10']) {
      await account.apply({ ...change, content: settings(from, sixHours) }, way)
      await account.expectCorrect()
    }
    const { previous_delta_ms, revisions } = await account.week('2026-W45')
    expect(previous_delta_ms).toBe(revisions.at(-2).delta_ms)
  })

  test('[D3.28] the days of a deleted row follow the row before it', async () => {
    await account.post('settings_history', settings('2026-09-01'))
    const change = row(settings('2026-11-02', sixHours))
    await account.apply(change, way)
    await closeWeeks('2026-10-26', '2026-11-15')
    await account.apply({ ...change, content: null }, way)
    const week = await account.week('2026-W45')
    expect(week).toMatchObject({ delta_ms: hours(-40), previous_delta_ms: hours(-24) })
    const deleted = { kind: 'settings_history', entry_type: null, op: 'delete', count: 1, id: change.id }
    expect(week.revisions.at(-1).causes).toMatchObject([deleted])
    await account.expectCorrect()
  })

  test('[D3.18] an account can begin in the middle of a closed week, then earlier, then later', async () => {
    const change = row(settings('2026-11-04'))
    await account.apply(change, way)
    await workEveryNight('2026-10-28', '2026-11-15')
    await closeWeeks('2026-11-04', '2026-11-15')
    expect(await account.week('2026-W45')).toMatchObject({ target_ms: hours(24), start_date: '2026-11-02' })
    expect(await account.expectCorrect()).toEqual({ days: 12, weeks: 2 })

    // Monday and Tuesday enter the closed week; the week before stays open.
    await account.apply({ ...change, content: settings('2026-10-29') }, way)
    expect(await account.expectCorrect()).toEqual({ days: 14, weeks: 2 })
    expect(await account.day('2026-11-02')).toMatchObject({ revision: 1, closed_by: 'recompute' })
    expect((await account.week('2026-W45')).revisions.at(-1).causes).toMatchObject([{ id: change.id, op: 'update' }])

    // They leave the account again, with all days up to the next Tuesday: closed, with zeros.
    await account.apply({ ...change, content: settings('2026-11-11') }, way)
    expect(await account.expectCorrect()).toEqual({ days: 14, weeks: 2 })
    expect(await account.day('2026-11-06')).toMatchObject({
      settings_id: null,
      worked_ms: 0,
      target_ms: 0,
      delta_ms: 0,
    })
    expect(await account.week('2026-W45')).toMatchObject({ target_ms: 0, worked_ms: 0, delta_ms: 0 })
    expect(await account.week('2026-W46')).toMatchObject({ target_ms: hours(24) })

    await account.apply({ ...change, content: settings('2026-11-03') }, way)
    expect(await account.expectCorrect()).toEqual({ days: 14, weeks: 2 })
  })

  test('[D3.17] closed days without settings have zeros, and figures again with new settings', async () => {
    const change = row(settings('2026-10-28'))
    await account.apply(change, way)
    await workEveryNight('2026-10-20', '2026-11-15')
    await closeWeeks('2026-10-28', '2026-11-15')
    await account.apply({ ...change, content: null }, way)
    expect(await account.expectCorrect()).toEqual({ days: 19, weeks: 3 })
    for (const day of await account.list('/api/closed-days')) {
      expect(day).toMatchObject({ settings_id: null, delta_ms: 0, revision: 2 })
    }
    expect(await account.balance()).toMatchObject({ closed_weeks_delta_ms: 0, time_zone: null })
    await account.apply(row(settings('2026-11-05', inPagoPago)), way)
    expect(await account.expectCorrect()).toEqual({ days: 19, weeks: 3 })
    await account.apply(row(settings('2026-10-28', sixHours)), way)
    expect(await account.expectCorrect()).toEqual({ days: 19, weeks: 3 })
  })

  test('[D2.16] of two rows of one date the one with the greater id counts, however they came', async () => {
    await account.post('settings_history', settings('2026-09-01'))
    const twin = (letter: string, more: object) =>
      row(settings('2026-11-04', more), `${letter.repeat(8)}-0000-4000-8000-000000000000`)
    const [less, greater] = [twin('a', inKiritimati), twin('b', sixHours)]
    await closeWeeks('2026-10-26', '2026-11-15')
    for (const change of [greater, less]) await account.apply(change, way)
    expect(await account.day('2026-11-10')).toMatchObject({ settings_id: greater.id })
    await account.expectCorrect()
    // An edit of the other one changes nothing, although it is the last to be written.
    const version = await account.version()
    await account.apply({ ...less, content: settings('2026-11-04') }, way)
    expect(await account.version()).toBe(version + 1)
    await account.apply({ ...greater, content: null }, way)
    expect(await account.day('2026-11-10')).toMatchObject({ settings_id: less.id })
    await account.expectCorrect()
    await account.push([greater])
    expect(await account.day('2026-11-10')).toMatchObject({ settings_id: greater.id })
    await account.expectCorrect()
  })

  test('[D3.30] a change that decides no figure writes only the row', async () => {
    const change = row(settings('2026-09-01'))
    await account.apply(change, way)
    await closeWeeks('2026-10-26', '2026-11-15')
    const version = await account.version()
    const auto_close = { day_after_ms: 0, week_after_days: 366 }
    await account.apply(
      { ...change, content: settings('2026-09-01', { note: 'x', week_starts_on: 7, auto_close }) },
      way,
    )
    const break_policy = { rules: [{ worked_above_ms: hours(6), required_ms: hours(0.5) }], min_piece_ms: 0 }
    await account.apply({ ...change, content: settings('2026-09-01', { break_policy }) }, way)
    expect(await account.version()).toBe(version + 2)
  })
})

test('[D3.28] a new break policy alone recomputes closed days', async () => {
  const first = row(settings('2026-09-01'))
  await account.apply(first, 'push')
  await account.post('entries', work('2026-11-10T08:00Z', '2026-11-10T18:00Z'))
  await closeWeeks('2026-11-09', '2026-11-15')
  const break_policy = { rules: [{ worked_above_ms: hours(6), required_ms: hours(0.5) }], min_piece_ms: 0 }
  await account.apply({ ...first, content: settings('2026-09-01', { break_policy }) }, 'push')
  expect(await account.day('2026-11-10')).toMatchObject({ deducted_break_ms: hours(0.5), revision: 2 })
  await account.expectCorrect()
})

test('[D3.46] a new zone name or settings id alone revises closed days, but no week', async () => {
  const first = row(settings('2026-10-28'))
  await account.apply(first, 'push')
  await closeWeeks('2026-11-02', '2026-11-08')
  const [week] = await account.list('/api/closed-weeks')
  await account.apply({ ...first, content: settings('2026-10-28', { time_zone: 'Europe/Vienna' }) }, 'push')
  expect(await account.day('2026-11-08')).toMatchObject({ time_zone: 'Europe/Vienna', revision: 2 })
  const second = row(settings('2026-10-28', { time_zone: 'Europe/Vienna' }))
  await account.push([{ ...first, content: null }, second])
  expect(await account.day('2026-11-08')).toMatchObject({ settings_id: second.id, revision: 3 })
  expect(await account.list('/api/closed-weeks')).toEqual([week])
  await account.expectCorrect()
})

test('[D3.47] a closed day without settings has the zone of the first row, without any row UTC', async () => {
  const id = await account.post('settings_history', settings('2026-10-28'))
  await closeWeeks('2026-11-02', '2026-11-08')
  await account.put('settings_history', id, settings('2026-11-12', inKiritimati))
  expect(await account.day('2026-11-05')).toMatchObject({ settings_id: null, time_zone: 'Pacific/Kiritimati' })
  await account.delete('settings_history', id)
  expect(await account.day('2026-11-05')).toMatchObject({ settings_id: null, time_zone: 'UTC' })
})

test('[D3.17] a day without settings follows the time zone of the first settings', async () => {
  // Such a day has zeros, but its time zone follows the account function like that of every closed day.
  const id = await account.post('settings_history', settings('2026-10-28'))
  await closeWeeks('2026-10-28', '2026-11-15')
  await account.put('settings_history', id, settings('2026-11-12'))
  await account.put('settings_history', id, settings('2026-11-12', inKiritimati))
  await account.expectCorrect()
  await account.post('settings_history', settings('2026-11-06', inPagoPago))
  await account.expectCorrect()
  await account.delete('settings_history', id)
  await account.expectCorrect()
})

test('[D3.22] closing a closed week or day again answers 200, even without settings', async () => {
  const id = await account.post('settings_history', settings('2026-10-28'))
  await account.closeWeek('2026-W45')
  await account.delete('settings_history', id)
  await account.closeWeek('2026-W45', 200)
  await account.closeDay('2026-11-05', 200)
  await account.closeDay('2026-11-10', 409)
  await account.reopenWeek('2026-W45')
  await account.closeWeek('2026-W45', 409)
  await account.post('settings_history', settings('2026-11-05'))
  await account.closeWeek('2026-W45')
  expect(await account.expectCorrect()).toEqual({ days: 4, weeks: 1 })
})

test('[D3.22] closing a closed day again answers 200, even if it has not ended in a new time zone', async () => {
  const id = await account.post('settings_history', settings('2026-11-01', inKiritimati))
  service.clock.set('2026-11-21T10:30:00.000Z')
  await account.closeDay('2026-11-21')
  await account.put('settings_history', id, settings('2026-11-01', inPagoPago))
  await account.closeDay('2026-11-21', 200)
  await account.expectCorrect()
})

test('[D3.29] settings and entries of one push recompute each day once', async () => {
  const id = await account.post('settings_history', settings('2026-09-01'))
  const moved = await account.post('entries', work('2026-11-04T22:30Z', '2026-11-05T01:30Z'))
  await closeWeeks('2026-10-26', '2026-11-15')
  const version = await account.version()
  await account.push([
    row(settings('2026-11-05', inKiritimati)),
    { kind: 'entries', id: moved, content: work('2026-11-12T22:30Z', '2026-11-13T01:30Z') },
    row(settings('2026-11-10', inPagoPago)),
    { kind: 'entries', id: randomUUID(), content: work('2026-11-08T09:30Z', '2026-11-10T13:30Z') },
    row(settings('2026-09-02', sixHours), id),
  ])
  await account.expectCorrect()
  // Only the first weekend stays the same.
  const first = [2, 2, 2, 2, 2, 1, 1]
  expect(await revisions('2026-10-26', '2026-11-15')).toEqual([...first, ...Array(14).fill(2)])
  expect(await account.version()).toBe(version + 5 + 19 + 3)
})
