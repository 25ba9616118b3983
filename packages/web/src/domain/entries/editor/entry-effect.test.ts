import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, type Entry, HOUR_MS, statutoryBreaks } from '@saldo/core'
import { expect, test } from 'vitest'
import { newWork } from './edited-entry.ts'
import { effectOfEntry } from './entry-effect.ts'

const zone = 'Europe/Berlin'
const timeline = buildTimeline([aSettingsRow({ effective_from: '2026-01-01', break_policy: statutoryBreaks.de })])
const date = '2026-10-21'
const at = (time: string) => Date.parse(`${time}+02:00`)
const work = (from: string, to: string) => aWork(at(`${date}T${from}`), at(`${date}T${to}`))
const added = (
  from: string,
  to: string,
  entries: readonly Entry[],
  closed: readonly { week: '2026-W43'; delta_ms: number }[] = [],
) => {
  const { content } = newWork({ start: Date.parse(from), end: Date.parse(to) }, zone)
  return effectOfEntry([{ op: 'create', content }], entries, { timeline, date, zone }, closed)
}

test('work changes the difference of its day, and of its week if that is closed', () => {
  const effect = added(
    '2026-10-21T08:00+02:00',
    '2026-10-21T12:00+02:00',
    [],
    [{ week: '2026-W43', delta_ms: HOUR_MS }],
  )
  expect(effect).toMatchObject({
    workedMs: 4 * HOUR_MS,
    clockChangeMs: 0,
    day: { beforeMs: -8 * HOUR_MS, afterMs: -4 * HOUR_MS },
    week: { week: '2026-W43', beforeMs: HOUR_MS, afterMs: 5 * HOUR_MS },
    lessDeductedMs: 0,
  })
})

test('work after a gap can let that count as a break, so that less is deducted', () => {
  const effect = added('2026-10-21T18:00+02:00', '2026-10-21T19:00+02:00', [work('08:00', '16:30')])
  expect(effect).toMatchObject({ lessDeductedMs: HOUR_MS / 2, day: { beforeMs: 0, afterMs: 1.5 * HOUR_MS } })
})

test('a night in which the clock is set back is an hour longer than the clock shows', () => {
  expect(added('2026-10-24T22:00+02:00', '2026-10-25T06:00+01:00', [])).toMatchObject({
    workedMs: 9 * HOUR_MS,
    clockChangeMs: HOUR_MS,
  })
})

test('the absences and the other work of the day are named', () => {
  const entries = [anAbsence('vacation', date), anAbsence('sick', '2026-10-22'), work('08:00', '10:00')]
  const effect = added('2026-10-21T12:00+02:00', '2026-10-21T13:00+02:00', entries)
  expect(effect).toMatchObject({ absences: ['vacation'], otherWorkMs: 2 * HOUR_MS, week: undefined })
})
