import {
  DAY_MS,
  type DateRange,
  decomposeDelta,
  type EpochMs,
  HOUR_MS,
  type LocalDate,
  MINUTE_MS,
  utcMidnight,
  type ZoneName,
} from '@saldo/core'

export interface FormatOptions {
  locale: string
  durations: 'clock' | 'decimal'
  hours: 'auto' | 'h23' | 'h12'
}

const MINUS = '−'

export type DateStyle = keyof typeof dateStyles

const dateStyles = {
  /** Saturday, 21 November */
  day: { weekday: 'long', day: 'numeric', month: 'long' },
  /** Saturday, 21 November 2026 */
  dayAndYear: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  /** 21 November */
  dayAndMonth: { day: 'numeric', month: 'long' },
  /** 21 Nov */
  dayAndMonthShort: { day: 'numeric', month: 'short' },
  /** Sat, 21 Nov */
  short: { weekday: 'short', day: 'numeric', month: 'short' },
  /** 21 November 2026 */
  full: { day: 'numeric', month: 'long', year: 'numeric' },
  /** 21 Nov 2026 */
  medium: { day: 'numeric', month: 'short', year: 'numeric' },
  /** Sat, 21 Nov 2026 */
  field: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  /** Sat 21 */
  weekdayNumber: { weekday: 'short', day: 'numeric' },
  weekday: { weekday: 'long' },
  weekdayShort: { weekday: 'short' },
  month: { month: 'long', year: 'numeric' },
} satisfies Record<string, Intl.DateTimeFormatOptions>

export type Format = ReturnType<typeof formatOf>

/**
 * Returns the functions that format durations, times and dates. Durations are whole minutes, rounded down, so that a
 * figure is the same in every view. Reports and sheets round theirs so that they add up, before they are formatted.
 */
export function formatOf({ locale, durations, hours }: FormatOptions) {
  const hourCycle = hours === 'auto' ? {} : { hourCycle: hours }
  const cycle = new Intl.DateTimeFormat(locale, { hour: 'numeric', ...hourCycle }).resolvedOptions().hourCycle
  const hour = cycle?.startsWith('h2') ? '2-digit' : 'numeric'
  const decimals = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
  const ungrouped = new Intl.NumberFormat(locale, { maximumFractionDigits: 2, useGrouping: false })
  const signedNumbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 2, signDisplay: 'exceptZero' })
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const lists = new Intl.ListFormat(locale, { type: 'conjunction' })
  const formats = new Map<string, Intl.DateTimeFormat>()
  /** Caches formatters by name: creating one takes long. */
  const formatter = (name: string, options: () => Intl.DateTimeFormatOptions) => {
    const known = formats.get(name) ?? new Intl.DateTimeFormat(locale, options())
    formats.set(name, known)
    return known
  }
  const dates = (style: DateStyle) => formatter(style, () => ({ ...dateStyles[style], timeZone: 'UTC' }))
  const unit = (value: number, name: 'minute' | 'hour' | 'day') =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'short' }).format(value)

  function length(ms: number): string {
    const minutes = Math.floor(Math.abs(ms) / MINUTE_MS)
    if (durations === 'decimal') return decimals.format(minutes / 60)
    return `${Math.floor(minutes / 60)}:${two(minutes % 60)}`
  }

  function delta(ms: number): string {
    const floored = floorMinutes(ms)
    const sign = floored > 0 ? '+' : floored < 0 ? MINUS : ''
    return sign + length(floored)
  }

  return {
    locale,
    /** The meaning of a number without a unit as a duration. */
    bareNumber: durations === 'decimal' ? ('decimals' as const) : ('hours' as const),
    /** The order in which dates with slashes are read. */
    dateOrder: isMonthFirst(locale) ? ('mdy' as const) : ('dmy' as const),
    /** `7:30`, or `7.5`. */
    duration: (ms: number) => (ms < 0 ? MINUS : '') + length(floorMinutes(ms)),
    /** With its sign: `+1:30`, `−0:30`, `0:00`. */
    delta,
    /** Formats the time left until a delta is 0, so that it adds up with the delta as shown. */
    timeLeft: (deltaMs: number) => length(Math.max(0, -floorMinutes(deltaMs))),
    /** Formats the difference of two deltas so that all three add up as shown. */
    difference: (ms: number, fromMs: number) => delta(floorMinutes(ms) - floorMinutes(fromMs)),
    /** With seconds: `0:07:30`. */
    stopwatch(ms: number): string {
      const { hours: whole, minutes, seconds } = decomposeDelta(Math.max(0, Math.floor(ms)))
      return `${whole}:${two(minutes)}:${two(seconds)}`
    },
    time: (ms: EpochMs, timeZone: ZoneName) =>
      unbroken(formatter(`time ${timeZone}`, () => ({ hour, minute: '2-digit', timeZone, ...hourCycle })).format(ms)),
    /** With the zone, for the day of a clock change: `02:30 CET`. */
    timeWithZone: (ms: EpochMs, timeZone: ZoneName) =>
      formatter(`time and zone ${timeZone}`, () => ({
        hour,
        minute: '2-digit',
        timeZone,
        timeZoneName: 'short',
        ...hourCycle,
      })).format(ms),
    /** The full hour, for scales: `09:00`, `9 AM`. */
    hour: (ms: EpochMs, timeZone: ZoneName) =>
      formatter(`hour ${timeZone}`, () => ({
        hour,
        ...(hour === '2-digit' && { minute: '2-digit' }),
        timeZone,
        ...hourCycle,
      })).format(ms),
    date: (date: LocalDate, style: DateStyle) => dates(style).format(utcMidnight(date)),
    /** `16 – 22 Nov 2026`, without repeating shared parts. */
    dateRange: ({ from, to }: DateRange, style: DateStyle = 'medium') =>
      dates(style).formatRange(utcMidnight(from), utcMidnight(to)),
    dateTime: (ms: EpochMs) =>
      unbroken(
        formatter('dateTime', () => ({ ...dateStyles.medium, hour, minute: '2-digit', ...hourCycle })).format(ms),
      ),
    /** Formats an age: `< 1 min`, `4 min`, `2 hr`, `3 days`. */
    age(ms: number): string {
      if (ms < MINUTE_MS) return `< ${unit(1, 'minute')}`
      if (ms < HOUR_MS) return unit(Math.floor(ms / MINUTE_MS), 'minute')
      return ms < 2 * DAY_MS ? unit(Math.floor(ms / HOUR_MS), 'hour') : unit(Math.floor(ms / DAY_MS), 'day')
    },
    number: (value: number) => numbers.format(value).replace('-', MINUS),
    /** As in a field, in which a sign of thousands could be that of decimals. */
    typedNumber: (value: number) => ungrouped.format(value),
    /** With its sign: `+2.5`, `−1`. */
    signed: (value: number) => signedNumbers.format(value).replace('-', MINUS),
    percent: (share: number) => percents.format(share),
    list: (items: readonly string[]) => lists.format(items),
  }
}

function isMonthFirst(locale: string): boolean {
  const parts = new Intl.DateTimeFormat(locale).formatToParts().map(({ type }) => type)
  return parts.indexOf('month') < parts.indexOf('day')
}

/** Keeps AM or PM on the line of its time. */
const unbroken = (time: string) => time.replace(/ (?=[ap]m\b)/i, '\u202f')

const two = (part: number) => String(part).padStart(2, '0')

function floorMinutes(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS
}
