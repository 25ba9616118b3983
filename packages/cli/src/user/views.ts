import type { ForecastDay, Saldo } from '@saldo/client'
import { stoppedAt, timerState } from '@saldo/client/entries'
import { readDates } from '@saldo/client/reading'
import {
  addDays,
  computeDay,
  type DateRange,
  type DayFigures,
  datesOfWeek,
  type Entry,
  epochMs,
  type IsoWeek,
  isTimed,
  isWeek,
  type LocalDate,
  netWorkMs,
  type RecordId,
  weekOf,
  yearOf,
} from '@saldo/core'
import { CommandError } from '../command-error.ts'
import { dateArgument } from './arguments.ts'
import { dateOf, lengthMs, shortIdLength, timeText, whatText, whenText } from './describe.ts'
import { problemText, rejectedEntries } from './rejected.ts'
import { allEntries, show, type UserOptions } from './session.ts'
import { hours, signedHours, styled, table } from './text.ts'

const DAYS_OF_LOG = 7

/** Shows the timer, the figures of today so far, and the balance. */
export function status(options: UserOptions): Promise<void> {
  return show(options, async (session) => {
    const { saldo, today, timeline, nowMs, zone } = session
    const entries = (await saldo.entries.between({ from: today, to: today }).read()).map((row) => row.record)
    const timer = timerState(entries.filter(isTimed))
    const figures = computeDay(stoppedAt(entries, nowMs), timeline, today)
    const balance = await saldo.account.balance().read()
    const entry = timer.kind === 'idle' ? null : timer.entry
    const what = entry ? whatText(entry) : ''
    const running = entry
      ? `${timer.kind} since ${timeText(epochMs(entry.started_at), zone, today)}, ${hours(lengthMs(entry, nowMs) ?? 0)}`
      : 'no timer is running'
    return {
      lines: [
        styled('bold', `${running}${what && `: ${what}`}`),
        ...table(
          [
            ['today', `${hours(netWorkMs(figures))} of ${hours(figures.target_ms)}`],
            ['balance', signedHours(balance.forecastMs)],
          ],
          '<<',
        ),
      ],
      json: { timer: { state: timer.kind, entry }, today: figures, balance: balanceAsJson(balance) },
    }
  })
}

/** Lists entries of a range of dates, by default of the last seven days. */
export function log(options: UserOptions & { from?: string; to?: string }): Promise<void> {
  return show(options, async (session) => {
    const { saldo, today, zone, nowMs } = session
    const to = options.to === undefined ? today : dateArgument(options.to, '--to', session)
    const from =
      options.from === undefined ? addDays(to, 1 - DAYS_OF_LOG) : dateArgument(options.from, '--from', session)
    if (from > to) throw new CommandError('--from must not be after --to', 2)
    const all = await allEntries(session)
    const rejected = rejectedEntries(await saldo.rejectedChanges.list().read(), all).filter(({ entry }) => {
      const date = dateOf(entry, zone)
      return from <= date && date <= to
    })
    const reasonById = new Map(rejected.map((each) => [each.entry.id, problemText(each.rejected.problem)]))
    const shown = (await saldo.entries.between({ from, to }).read()).map(({ record, pending }) => ({ record, pending }))
    const rows = [...shown, ...rejected.map(({ entry }) => ({ record: entry, pending: false }))]
    const length = shortIdLength([...all.map((row) => row.record.id), ...reasonById.keys()])
    const placeOf = (entry: Entry) => `${dateOf(entry, zone)} ${isTimed(entry) ? entry.started_at : ''} ${entry.id}`
    const sorted = rows.toSorted((a, b) => (placeOf(a.record) < placeOf(b.record) ? -1 : 1))
    const stateText = (id: RecordId, isUnsent: boolean) => {
      const reason = reasonById.get(id)
      if (reason !== undefined) return styled('red', ` (rejected: ${reason})`)
      return isUnsent ? styled('yellow', ' (not sent)') : ''
    }
    const cells = sorted.map(({ record, pending }, index) => {
      const date = dateOf(record, zone)
      const before = sorted[index - 1]
      const isFirst = !before || dateOf(before.record, zone) !== date
      const worked = lengthMs(record, nowMs)
      return [
        isFirst ? dayText(date) : '',
        whenText(record, zone),
        worked === undefined ? '' : hours(worked),
        styled('dim', record.id.slice(0, length)),
        `${whatText(record)}${stateText(record.id, pending)}`,
      ]
    })
    return {
      lines: cells.length > 0 ? table(cells, '<<><<') : ['no entries'],
      json: {
        from,
        to,
        entries: sorted.map(({ record, pending }) => ({
          ...record,
          short_id: record.id.slice(0, length),
          pending,
          rejected: reasonById.get(record.id) ?? null,
        })),
      },
    }
  })
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

function dayText(date: LocalDate): string {
  const monday = datesOfWeek(weekOf(date))
  return `${weekdays[monday.indexOf(date)]} ${date}`
}

/** Shows the days of a week, by default of this one, with their sums. */
export function week(text: string | undefined, options: UserOptions): Promise<void> {
  return show(options, async (session) => {
    const { saldo, today } = session
    const shown = weekArgument(text, today)
    const dates = datesOfWeek(shown)
    const range: DateRange = { from: dates[0] as LocalDate, to: dates.at(-1) as LocalDate }
    const days = await saldo.account.days(range).read()
    const closedWeeks = await saldo.account.closedWeeks().read()
    const entries = (await saldo.entries.between(range).read()).map((row) => row.record)
    const figuresOf = (day: ForecastDay): DayFigures => {
      // Work before the account begins shows too, as in the app.
      if (day.state === 'outside') return computeDay(entries, session.timeline, day.date)
      return day.closed ?? day.forecast
    }
    const isClosed = closedWeeks.some((each) => each.week === shown)
    const noteOn = (date: LocalDate) =>
      entries.flatMap((entry) => (!isTimed(entry) && entry.date === date ? [whatText(entry)] : [])).join(', ')
    const counted = days.filter(({ date }) => isClosed || date < today)
    const sum = (figure: (day: DayFigures) => number) =>
      counted.reduce((total, day) => total + figure(figuresOf(day)), 0)
    const cells = days.map((day) => {
      const figures = figuresOf(day)
      // A day that is not over has no difference yet.
      const delta = day.date < today ? signedHours(figures.delta_ms) : ''
      const state = day.state === 'closed' ? 'closed' : day.date === today ? 'today' : ''
      const text = [dayText(day.date), hours(netWorkMs(figures)), hours(figures.credited_ms), hours(figures.target_ms)]
      return [...text, delta, state, noteOn(day.date)]
    })
    const head = ['', 'worked', 'credited', 'target', 'delta', '', ''].map((cell) => cell && styled('dim', cell))
    const total = [
      `${shown}${isClosed ? ' closed' : ''}`,
      ...[sum(netWorkMs), sum((day) => day.credited_ms), sum((day) => day.target_ms)].map(hours),
      signedHours(sum((day) => day.delta_ms)),
    ].map((cell) => styled('bold', cell))
    return {
      lines: table([head, ...cells, total], '<>>>><<'),
      json: {
        week: shown,
        closed: isClosed,
        days: days.map((day) => ({ ...figuresOf(day), state: day.state })),
        delta_ms: sum((day) => day.delta_ms),
      },
    }
  })
}

function weekArgument(text: string | undefined, today: LocalDate): IsoWeek {
  if (text === undefined) return weekOf(today)
  if (text === 'last') return weekOf(addDays(today, -7))
  const upper = text.toUpperCase()
  if (isWeek(upper)) return upper
  const [range, ...others] = readDates(text, { today, isAhead: false })
  if (range && others.length === 0 && weekOf(range.from) === weekOf(range.to)) return weekOf(range.from)
  throw new CommandError('the week must be as in 2026-W47, a date in it, or «last»', 2)
}

type Balance = Awaited<ReturnType<ReturnType<Saldo['account']['balance']>['read']>>

/** Returns the balance with the field names of `--json`. */
function balanceAsJson({ confirmedMs, forecastMs, futureAdjustmentsMs }: Balance): object {
  return { confirmed_ms: confirmedMs, forecast_ms: forecastMs, future_adjustments_ms: futureAdjustmentsMs }
}

/** Shows the balance of the account. */
export function balance(options: UserOptions): Promise<void> {
  return show(options, async ({ saldo }) => {
    const figures = await saldo.account.balance().read()
    const { confirmedMs, forecastMs, futureAdjustmentsMs } = figures
    const future = futureAdjustmentsMs === 0 ? [] : [['of it, adjustments ahead', signedHours(futureAdjustmentsMs)]]
    return {
      lines: table(
        [
          ['closed weeks and adjustments', signedHours(confirmedMs)],
          ['with open days and unsent changes', styled('bold', signedHours(forecastMs))],
          ...future,
        ],
        '<>',
      ),
      json: balanceAsJson(figures),
    }
  })
}

/** Shows the vacation account of a year, by default of this one. */
export function vacation(text: string | undefined, options: UserOptions): Promise<void> {
  return show(options, async ({ saldo, today }) => {
    if (text !== undefined && !/^[1-9]\d{3}$/.test(text)) throw new CommandError('the year must be as in 2026', 2)
    const year = text === undefined ? yearOf(today) : Number(text)
    const account = await saldo.account.vacation(year).read()
    if (!account) throw new CommandError(`there is no vacation account in ${year}: set vacation days in the app`)
    const { carried, entitled, granted, taken, planned, expired, left, expiring } = account
    const figures: [string, number][] = [
      ['carried over', carried],
      ['entitled', entitled],
      ['granted', granted],
      ['taken', -taken],
      ['planned', -planned],
      ['expired', -expired],
    ]
    const lines = figures.filter(([, days]) => days !== 0).map(([name, days]) => [name, daysText(days)])
    const until = expiring ? [`${daysText(expiring.days)} of them expire after ${year}-${expiring.by}`] : []
    return {
      lines: [
        ...table([...lines, [`left of ${year}`, daysText(left)].map((cell) => styled('bold', cell))], '<>'),
        ...until,
      ],
      json: account,
    }
  })
}

/** Returns days with at most two decimals, without a sign for zero. */
function daysText(days: number): string {
  return String(Math.round(days * 100) / 100 || 0)
}
