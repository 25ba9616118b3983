import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, datesOfWeek } from '@saldo/core'
import { expect, test } from 'vitest'
import { copiesOfLastWeek, dateShownFirst, projectRows, projectsWithoutRow, weekBefore } from './timesheet-model.ts'

const dates = datesOfWeek('2026-W47')
const workFor = (project: string | null) => aWork(0, 1, { project })

test('the rows are work without a project, the projects of the week and added ones, each once', () => {
  const week = [workFor('Borealis'), workFor('Atlas')]
  expect(projectRows(week, ['Zenith', 'Atlas'])).toEqual([null, 'Atlas', 'Borealis', 'Zenith'])
  expect(projectRows([], [])).toEqual([null])
})

test('other projects to add are those without a row', () => {
  const all = [workFor('Atlas'), workFor(null), workFor('Borealis')]
  expect(projectsWithoutRow(all, ['Atlas'])).toEqual(['Borealis'])
})

test('the week before ends on the Sunday before', () => {
  expect(weekBefore(dates)).toEqual({ from: '2026-11-09', to: '2026-11-15' })
})

test('today is shown first, in another week its first day', () => {
  expect(dateShownFirst({ dates, today: '2026-11-18' })).toBe('2026-11-18')
  expect(dateShownFirst({ dates, today: '2026-11-23' })).toBe('2026-11-16')
})

const timeline = buildTimeline([aSettingsRow()])
const marchDates = datesOfWeek('2026-W13')
const work = (from: string, to: string | null) => aWork(Date.parse(from), to === null ? null : Date.parse(to))

test('copies work to the same local time, also across a clock change', () => {
  const sunday = work('2026-03-22T09:00:00+01:00', '2026-03-22T10:00:00+01:00')
  expect(copiesOfLastWeek([sunday], [], marchDates, timeline, '2026-03-29')).toEqual([
    {
      op: 'create',
      content: expect.objectContaining({
        started_at: '2026-03-29T07:00:00.000Z',
        ended_at: '2026-03-29T08:00:00.000Z',
        source: 'timesheet',
      }),
    },
  ])
})

test('a night shift across a clock change keeps its local times, and is shorter or longer by the hour', () => {
  const night = (from: string, to: string) => work(`${from}:00+01:00`, `${to}:00+01:00`)
  const spring = copiesOfLastWeek(
    [night('2026-03-21T22:00', '2026-03-22T06:00')],
    [],
    marchDates,
    timeline,
    '2026-03-29',
  )
  expect(spring).toMatchObject([
    { content: { started_at: '2026-03-28T21:00:00.000Z', ended_at: '2026-03-29T04:00:00.000Z' } },
  ])
  const autumn = copiesOfLastWeek(
    [work('2026-10-17T22:00:00+02:00', '2026-10-18T06:00:00+02:00')],
    [],
    datesOfWeek('2026-W43'),
    timeline,
    '2026-10-25',
  )
  expect(autumn).toMatchObject([
    { content: { started_at: '2026-10-24T20:00:00.000Z', ended_at: '2026-10-25T05:00:00.000Z' } },
  ])
  // The start is within the skipped hour, and comes after the end.
  const begun = copiesOfLastWeek(
    [night('2026-03-22T02:50', '2026-03-22T03:10')],
    [],
    marchDates,
    timeline,
    '2026-03-29',
  )
  expect(begun).toMatchObject([
    { content: { started_at: '2026-03-29T01:50:00.000Z', ended_at: '2026-03-29T01:50:00.000Z' } },
  ])
  // Both local times are within the skipped hour.
  const skipped = night('2026-03-22T02:50', '2026-03-22T02:55')
  const [copy] = copiesOfLastWeek([skipped], [], marchDates, timeline, '2026-03-29')
  expect(copy).toMatchObject({
    content: { started_at: '2026-03-29T01:50:00.000Z', ended_at: '2026-03-29T01:55:00.000Z' },
  })
})

test('a copy has the kind, project, tags and note of what it copies, and counts as entered in the timesheet', () => {
  const from = Date.parse('2026-03-16T09:00:00+01:00')
  const described = { kind: 'break' as const, project: 'Saldo', tags: ['ui'], note: 'Tea' }
  const original = aWork(from, from + 60_000, {
    ...described,
    time_zone: 'America/New_York',
    source: 'csv',
    import_ref: '1',
  })
  const content = { ...described, time_zone: 'Europe/Berlin', source: 'timesheet', import_ref: null }
  expect(copiesOfLastWeek([original], [], marchDates, timeline, '2026-03-29')).toMatchObject([{ content }])
})

test('leaves out days with entries, future days, absences and running work', () => {
  const monday = work('2026-03-16T09:00:00+01:00', '2026-03-16T10:00:00+01:00')
  const tuesday = work('2026-03-17T09:00:00+01:00', '2026-03-17T10:00:00+01:00')
  const wednesday = work('2026-03-18T09:00:00+01:00', '2026-03-18T10:00:00+01:00')
  const lastWeek = [
    monday,
    tuesday,
    wednesday,
    work('2026-03-16T11:00:00+01:00', null),
    anAbsence('sick', '2026-03-16'),
  ]
  const copies = copiesOfLastWeek(lastWeek, [anAbsence('vacation', '2026-03-24')], marchDates, timeline, '2026-03-24')
  expect(copies).toMatchObject([{ content: { started_at: '2026-03-23T08:00:00.000Z' } }])
})
