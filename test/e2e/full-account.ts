import { type ContentInput, HOUR_MS, MINUTE_MS, type WritableKind } from '@saldo/core'
import type { Page } from 'playwright-core'
import { isHeavy } from '../../packages/core/test/tier.ts'
import { chanceOf } from '../simulation/chance.ts'

/** A Thursday afternoon in Berlin, with the timer running. */
export const FULL_ACCOUNT_NOW = '2026-11-19T13:38:00.000Z'

/** Where each view is, and each of its faces, in this account. */
export const everyView = [
  ...['/', '/day/2026-11-18', '/week', '/week/2026-W45', '/account', '/calendar/2026', '/calendar/2026/08'],
  ...['/schedule', '/search', '/reports', '/reports#dates=this-year&by=week', '/projects', '/sync', '/settings'],
  '/import-export',
] as const
/** Those of them that a test of every view visits in `npm test`; in the heavy tier it visits all. */
export const visitedViews = isHeavy ? everyView : (['/', '/week', '/account', '/search', '/settings'] as const)

const ZONE = 'Europe/Berlin'
const BEGIN = Temporal.PlainDate.from('2023-01-02')
const TODAY = Temporal.PlainDate.from('2026-11-19')

const publicHolidays = new Set([
  ...['2023-04-07', '2023-04-10', '2023-05-01', '2023-05-18', '2023-05-29', '2023-10-03', '2023-12-25', '2023-12-26'],
  ...['2024-01-01', '2024-03-29', '2024-04-01', '2024-05-01', '2024-05-09', '2024-05-20', '2024-10-03', '2024-12-25'],
  ...['2024-12-26', '2025-01-01', '2025-04-18', '2025-04-21', '2025-05-01', '2025-05-29', '2025-06-09', '2025-10-03'],
  ...['2025-12-25', '2025-12-26', '2026-01-01', '2026-04-03', '2026-04-06', '2026-05-01', '2026-05-14', '2026-05-25'],
  ...['2026-12-25'],
])

const vacations = [
  ['2023-04-11', '2023-04-14'],
  ['2023-07-24', '2023-08-11'],
  ['2023-12-27', '2023-12-29'],
  ['2024-05-10', '2024-05-17'],
  ['2024-08-05', '2024-08-23'],
  ['2024-12-23', '2024-12-31'],
  ['2025-04-14', '2025-04-17'],
  ['2025-07-14', '2025-08-01'],
  ['2025-12-22', '2025-12-31'],
  ['2026-02-16', '2026-02-20'],
  ['2026-08-03', '2026-08-21'],
  ['2026-12-21', '2026-12-31'],
] as const
const illnesses = [
  ['2023-02-13', '2023-02-15'],
  ['2024-03-04', '2024-03-08'],
  ['2024-11-21', '2024-11-22'],
  ['2025-10-06', '2025-10-08'],
  ['2026-03-09', '2026-03-10'],
  ['2026-09-24', '2026-09-25'],
] as const
const daysInLieu = new Set(['2024-06-14', '2025-06-20', '2026-05-15', '2026-10-30'])

const jobs = [
  { project: 'Harbour website', tags: ['design'], notes: ['Colours and type', 'Start page', 'Review with Mara'] },
  { project: 'Harbour website', tags: ['code'], notes: ['Search', 'Forms', 'Opening hours'] },
  { project: 'Timetable', tags: ['support'], notes: ['Questions of the week', 'Export for the office'] },
  { project: 'Office', tags: [], notes: ['Planning', 'Mail', 'Team meeting'] },
] as const

const hours = (...days: number[]) => days.map((each) => each * HOUR_MS)
const breaksOfGermany = {
  rules: [
    { worked_above_ms: 6 * HOUR_MS, required_ms: 30 * MINUTE_MS },
    { worked_above_ms: 9 * HOUR_MS, required_ms: 45 * MINUTE_MS },
  ],
  min_piece_ms: 15 * MINUTE_MS,
}
const common = { time_zone: ZONE, break_policy: breaksOfGermany }

const schedule: readonly ContentInput<'settings_history'>[] = [
  { ...common, effective_from: BEGIN.toString(), target_ms: hours(8, 8, 8, 8, 8, 0, 0), note: 'Full time' },
  { ...common, effective_from: '2024-09-02', target_ms: hours(8, 8, 8, 8, 0, 0, 0), note: 'Four days a week' },
  { ...common, effective_from: '2025-09-01', target_ms: hours(7.7, 7.7, 7.7, 7.7, 7.7, 0, 0), note: '38.5 hours' },
]

const adjustments: readonly ContentInput<'balance_adjustments'>[] = [
  { effective_date: BEGIN.toString(), delta_ms: 6.5 * HOUR_MS, kind: 'opening', reason: 'From the old time sheet' },
  {
    effective_date: '2023-12-31',
    delta_ms: -20 * HOUR_MS,
    kind: 'payout',
    reason: 'Paid out with the December salary',
  },
  { effective_date: '2025-03-31', delta_ms: -5.25 * HOUR_MS, kind: 'expiry', reason: 'Above the limit of 60 hours' },
  { effective_date: '2026-01-31', delta_ms: 1.5 * HOUR_MS, kind: 'correction', reason: 'Business trip in December' },
  { effective_date: '2026-12-31', delta_ms: -12 * HOUR_MS, kind: 'payout', reason: 'Agreed for the end of the year' },
]

interface Change {
  kind: WritableKind
  op: 'upsert'
  record: { id: string; updated_at: string } & ContentInput
}

const chance = chanceOf(5)

function changeOf(kind: WritableKind, at: Temporal.PlainDate, content: ContentInput): Change {
  const noted = at.toPlainDateTime('20:00').toZonedDateTime(ZONE).toInstant()
  const updatedAt = Temporal.Instant.compare(noted, FULL_ACCOUNT_NOW) < 0 ? noted : FULL_ACCOUNT_NOW
  return { kind, op: 'upsert', record: { id: chance.uuid(), updated_at: instant(updatedAt), ...content } }
}

const instant = (at: Temporal.Instant | string) => new Date(Temporal.Instant.from(at).epochMilliseconds).toISOString()

const isWithin = (spans: readonly (readonly [string, string])[], date: string) =>
  spans.some(([from, to]) => from <= date && date <= to)

function targetMs(date: Temporal.PlainDate): number {
  const row = schedule.findLast(({ effective_from }) => effective_from <= date.toString())
  return row?.target_ms[date.dayOfWeek - 1] ?? 0
}

function work(date: Temporal.PlainDate, fromMinute: number, toMinute: number | null): Change {
  const job = (date.equals(TODAY) ? jobs[0] : jobs[chance.below(jobs.length)]) as (typeof jobs)[number]
  const at = (minute: number) =>
    instant(date.toPlainDateTime().add({ minutes: minute }).toZonedDateTime(ZONE).toInstant())
  return changeOf('entries', date, {
    kind: 'work',
    started_at: at(fromMinute),
    ended_at: toMinute === null ? null : at(toMinute),
    project: job.project,
    tags: [...job.tags],
    note: job.notes[chance.below(job.notes.length)] ?? '',
  })
}

function dayOff(date: Temporal.PlainDate): Change | undefined {
  const text = date.toString()
  const all = (kind: 'vacation' | 'sick' | 'public_holiday' | 'time_off_in_lieu') =>
    changeOf('entries', date, { kind, date: text })
  if (publicHolidays.has(text)) return all('public_holiday')
  if (isWithin(vacations, text)) return all('vacation')
  if (isWithin(illnesses, text)) return all('sick')
  if (daysInLieu.has(text)) return all('time_off_in_lieu')
  return undefined
}

/** A morning and an afternoon, somewhat longer or shorter than asked for. */
function workOf(date: Temporal.PlainDate): Change[] {
  const begin = 7 * 60 + 40 + 5 * chance.below(9)
  const noon = 12 * 60 + 5 * chance.below(7)
  const back = noon + 35 + 5 * chance.below(5)
  const worked = targetMs(date) / MINUTE_MS + 5 * (chance.below(15) - 6)
  if (date.equals(TODAY)) return [work(date, 8 * 60 + 5, 12 * 60 + 20), work(date, 12 * 60 + 55, null)]
  return [work(date, begin, noon), work(date, back, back + worked - (noon - begin))]
}

function entriesOf(date: Temporal.PlainDate): Change[] {
  if (targetMs(date) === 0) return []
  const off = dayOff(date)
  if (off) return [off]
  return Temporal.PlainDate.compare(date, TODAY) <= 0 ? workOf(date) : []
}

function* datesUntil(end: Temporal.PlainDate): Generator<Temporal.PlainDate> {
  for (let date = BEGIN; Temporal.PlainDate.compare(date, end) <= 0; date = date.add({ days: 1 })) yield date
}

/** Mondays of the weeks that are closed: all that have ended but the last. */
const closedMondays = [...datesUntil(TODAY.subtract({ days: 11 }))].filter(({ dayOfWeek }) => dayOfWeek === 1)

/**
 * Fills the account of whoever is signed in with nearly four years: two changes of hours, absences, adjustments,
 * closed weeks with late edits, and a timer that runs. It is the same each time, records' ids too.
 */
export async function fillAccount(page: Page): Promise<void> {
  const base = new URL(page.url()).origin
  const send = async (method: 'post' | 'put', path: string, data: object) => {
    const answer = await page.request[method](base + path, { data, headers: { origin: base } })
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
  }
  const entries = [...datesUntil(Temporal.PlainDate.from('2026-12-31'))].flatMap(entriesOf)
  const changes = [
    ...schedule.map((row) => changeOf('settings_history', BEGIN, row)),
    ...adjustments.map((row) => changeOf('balance_adjustments', BEGIN, row)),
    ...entries,
  ]
  for (let from = 0; from < changes.length; from += 500) {
    await send('post', '/api/sync/push', { changes: changes.slice(from, from + 500) })
  }
  for (const { yearOfWeek, weekOfYear } of closedMondays) {
    await send('post', '/api/closed-weeks', { week: `${yearOfWeek}-W${String(weekOfYear).padStart(2, '0')}` })
  }
  for (const date of ['2026-09-16', '2026-11-05']) {
    const late = entries.findLast(({ record }) => String(record.started_at).startsWith(date))
    if (!late) throw new Error(`no work on ${date}`)
    const { id, updated_at: _, ...content } = late.record
    const earlier = Temporal.Instant.from(String(content.ended_at)).subtract({ minutes: 25 })
    await send('put', `/api/entries/${id}`, { ...content, ended_at: instant(earlier) })
  }
}
