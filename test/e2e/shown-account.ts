import { type ContentInput, HOUR_MS, MINUTE_MS } from '@saldo/core'
import type { Page } from 'playwright-core'
import { desktop, Stage, wordsOf } from './stage.ts'

/** A Thursday afternoon in Berlin. */
export const SHOWN_NOW = '2026-11-19T13:38:00.000Z'

const ZONE = 'Europe/Berlin'
const hours = (...days: number[]) => days.map((each) => each * HOUR_MS)

const germanBreaks = {
  rules: [
    { worked_above_ms: 6 * HOUR_MS, required_ms: 30 * MINUTE_MS },
    { worked_above_ms: 9 * HOUR_MS, required_ms: 45 * MINUTE_MS },
  ],
  min_piece_ms: 15 * MINUTE_MS,
}

const settings: readonly ContentInput<'settings_history'>[] = [
  {
    effective_from: '2026-09-30',
    time_zone: ZONE,
    target_ms: hours(8, 8, 8, 8, 8, 0, 0),
    break_policy: germanBreaks,
    vacation: { days_per_year: 30, carry_over_until: '03-31' },
    limits: { green_ms: 20 * HOUR_MS, yellow_ms: 40 * HOUR_MS, period_ends: ['10-31'], keep_at_most_ms: 12 * HOUR_MS },
    note: 'Full time',
  },
  {
    effective_from: '2026-11-02',
    time_zone: ZONE,
    target_ms: hours(8, 8, 8, 8, 6, 0, 0, 8, 8, 8, 8, 0, 0, 0),
    break_policy: germanBreaks,
    hints: 'de',
    core_time: { from: '09:00', to: '14:30' },
    frame: { from: '06:00', to: '20:00' },
    holidays: { country: 'DE', state: 'BY', region: null, partial: { '12-24': 0.5, '12-31': 0.75 } },
    vacation: { days_per_year: 28.5, carry_over_until: '03-31' },
    limits: { green_ms: 10 * HOUR_MS, yellow_ms: 40 * HOUR_MS, period_ends: ['12-31'], keep_at_most_ms: 30 * HOUR_MS },
  },
  {
    effective_from: '2026-12-07',
    time_zone: 'Europe/London',
    target_ms: hours(7, 7, 7, 7, 7, 0, 0),
    break_policy: { rules: [{ worked_above_ms: 5 * HOUR_MS, required_ms: 20 * MINUTE_MS }], min_piece_ms: 0 },
    auto_close: { day_after_ms: 36 * HOUR_MS, week_after_days: 3 },
    week_starts_on: 7,
    note: 'London',
  },
]

const adjustments: readonly ContentInput<'balance_adjustments'>[] = [
  { effective_date: '2026-09-30', delta_ms: 92.5 * HOUR_MS, kind: 'opening', reason: 'Old time sheet' },
  { effective_date: '2026-10-31', delta_ms: -2 * HOUR_MS, kind: 'payout', reason: 'Paid with the salary' },
  { effective_date: '2026-12-31', delta_ms: -4 * HOUR_MS, kind: 'payout', reason: 'Agreed' },
]

/** A time of a date on the wall of Berlin, as an instant. */
const at = (date: string, time: string) =>
  new Date(Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(ZONE).epochMilliseconds).toISOString()

const timed = (kind: 'work' | 'break', date: string, from: string, to: string | null, more: object = {}) =>
  ({
    kind,
    started_at: at(date, from),
    ended_at: to === null ? null : at(date, to),
    ...more,
  }) as ContentInput<'entries'>

const absence = (kind: string, date: string, more: object = {}) => ({ kind, date, ...more }) as ContentInput<'entries'>

/** The dates of the usual work, and when it ends. */
const usual: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['12', '13', '14', '15', '16', '21', '22', '23'].map((day) => [`2026-10-${day}`, '16:30'])),
  ...Object.fromEntries(['26', '27', '28', '29', '30'].map((day) => [`2026-10-${day}`, '17:10'])),
  ...Object.fromEntries(['02', '03', '04', '05', '06', '09', '10', '12'].map((day) => [`2026-11-${day}`, '17:00'])),
  '2026-11-16': '18:30',
}

const entries: readonly ContentInput<'entries'>[] = [
  ...Object.entries(usual).flatMap(([date, end]) => [
    timed('work', date, '08:00', '12:00', { project: 'Harbour', tags: ['design', 'ui'], note: 'Start page' }),
    timed('break', date, '12:00', '12:30'),
    timed('work', date, '12:30', end, { project: date < '2026-11' ? 'Harbour' : 'Timetable' }),
  ]),
  // Overlapping work, work that does not count, and work over midnight.
  timed('work', '2026-11-17', '08:00', '12:00', { project: 'Harbour' }),
  timed('work', '2026-11-17', '11:30', '15:00', { project: 'Office', note: 'Mail' }),
  timed('work', '2026-11-17', '16:00', '17:00', { project: 'Office', counts: false, note: 'Way home' }),
  timed('work', '2026-11-17', '22:30', '23:30', { tags: ['support'], ended_at: at('2026-11-18', '00:30') }),
  timed('work', '2026-11-18', '09:15', '13:00', { project: 'Timetable' }),
  timed('work', '2026-11-18', '13:00', '16:00', { project: 'Timetable', note: 'Questions' }),
  // Today.
  timed('work', '2026-11-19', '08:05', '12:20', { project: 'Harbour', tags: ['design'], note: 'Colours' }),
  timed('break', '2026-11-19', '12:20', '12:55'),
  timed('work', '2026-11-19', '12:55', null, { project: 'Harbour', note: 'Type' }),
  absence('vacation', '2026-10-19'),
  absence('vacation', '2026-10-20', { note: 'Sea' }),
  absence('sick', '2026-11-11'),
  absence('time_off_in_lieu', '2026-11-27', { day_share: null, amount_ms: 1.5 * HOUR_MS }),
  absence('paid_other', '2026-12-01', { day_share: 0.5 }),
  absence('unpaid', '2026-12-02', { day_share: 0.25 }),
  ...['21', '22', '23'].map((day) => absence('vacation', `2026-12-${day}`)),
  absence('vacation_grant', '2026-01-01', { days: 2.5, note: 'Brought along' }),
]

/** The id of the work on 30 October that is made shorter once its week is closed. */
const LATE = '00000000-0000-4000-8000-0000000000ff'

/** Opens the app on a page of a new user whose account has something of everything. */
export async function openShown(): Promise<{ stage: Stage; page: Page }> {
  const stage = await Stage.open(SHOWN_NOW)
  const { page } = await stage.page(desktop)
  await stage.signUp(page, null)
  await fillShownAccount(stage, page)
  await stage.visit(page)
  await page.getByText(wordsOf(desktop.language)('sync.saved')).waitFor({ state: 'attached' })
  return { stage, page }
}

/**
 * Fills the account of a page's user with something of everything that views can show: past and future settings, closed
 * weeks with a late edit, open ones, absences, warnings, hours above a limit, and a timer that runs.
 */
async function fillShownAccount(stage: Stage, page: Page): Promise<void> {
  let made = 0
  const changeOf = (kind: string) => (content: object) => {
    made += 1
    const id = content === late ? LATE : `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`
    return { kind, op: 'upsert', record: { id, updated_at: SHOWN_NOW, ...content } }
  }
  const late = entries.find((entry) => entry.started_at === at('2026-10-30', '12:30'))
  await stage.ask(page, 'POST', '/api/sync/push', {
    changes: [
      ...settings.map(changeOf('settings_history')),
      ...adjustments.map(changeOf('balance_adjustments')),
      ...entries.map(changeOf('entries')),
    ],
  })
  await stage.runDueJobs()
  for (const week of ['2026-W40', '2026-W41', '2026-W42', '2026-W43', '2026-W44']) {
    await stage.ask(page, 'POST', '/api/closed-weeks', { week })
  }
  const shorter = { ...late, ended_at: at('2026-10-30', '16:45') }
  await stage.ask(page, 'PUT', `/api/entries/${LATE}`, shorter)
}
