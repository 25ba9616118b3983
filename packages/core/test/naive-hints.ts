import { NaiveAccount, type NaiveEntry, type NaiveSettings } from './naive-account.ts'

const MINUTE_MS = 60_000
const HOUR = 60
const DAY = 24 * HOUR

/** The numbers of each law in minutes, written down a second time. */
const laws = {
  de: {
    day: 10 * HOUR,
    breaks: [
      [6, 30],
      [9, 45],
    ],
    piece: 15,
    night: [23, 6],
    nightWork: 2 * HOUR + 1,
  },
  at: { day: 12 * HOUR, breaks: [[6, 30]], piece: 10, night: [22, 5], nightWork: 3 * HOUR },
  ch: {
    day: 24 * HOUR,
    breaks: [
      [5.5, 15],
      [7, 30],
      [9, 60],
    ],
    piece: 15,
    night: [23, 6],
    nightWork: 1,
  },
} as const

/** The settings that hints read, of one row in Berlin in 2026. */
export interface NaiveHintSettings extends NaiveSettings {
  break_policy: NonNullable<NaiveSettings['break_policy']> | null
  hints: keyof typeof laws | null
  frame: Span | null
  core_time: Span | null
}

interface Span {
  from: string
  to: string
}

/** A minute around a date: where it lies on the wall of Berlin, and whether somebody works. */
interface Minute {
  /** Days from the date, such as −1 for the day before. */
  day: number
  /** The time of day in minutes. */
  time: number
  isWork: boolean
}

/** Returns the hints of a date as `code minutes`, by looking at each minute of the days around it. */
export function naiveHints(settings: NaiveHintSettings, entries: readonly NaiveEntry[], date: string): string[] {
  const minutes = minutesAround(date, entries)
  const ofDay = minutes.filter(({ day }) => day === 0)
  const first = ofDay.findIndex(({ isWork }) => isWork)
  const last = ofDay.findLastIndex(({ isWork }) => isWork)
  const found: [string, number][] = []
  const absences = entries.filter((entry) => entry.date === date)
  const law = settings.hints && laws[settings.hints]
  if (law) {
    const lawfulBreaks = {
      rules: law.breaks.map(([hours, required]) => {
        return { worked_above_ms: hours * HOUR * MINUTE_MS, required_ms: required * MINUTE_MS }
      }),
      min_piece_ms: law.piece * MINUTE_MS,
    }
    const dayUnder = (break_policy: NaiveHintSettings['break_policy']) =>
      new NaiveAccount(entries, [{ ...settings, break_policy }], MINUTE_MS).day(date)
    const { worked_ms, deducted_break_ms } = dayUnder(settings.break_policy)
    const worked = (worked_ms - deducted_break_ms) / MINUTE_MS
    const isHoliday = absences.some(({ kind }) => kind === 'public_holiday')
    if (worked > law.day) found.push(['long_day', worked])
    found.push(['missing_break', dayUnder(lawfulBreaks).deducted_break_ms / MINUTE_MS])
    found.push(['short_rest', shortRest(minutes)])
    found.push(['night_work', nightWork(minutes, law)])
    if (new Date(`${date}T00:00Z`).getUTCDay() === 0 && !isHoliday) found.push(['sunday_work', worked])
    if (isHoliday) found.push(['holiday_work', worked])
  }
  const { frame, core_time } = settings
  if (frame) {
    found.push(['outside_frame', ofDay.filter(({ isWork, time }) => isWork && !isWithin(time, frame)).length])
  }
  const isPlanned = plannedOn(settings, date)
  if (core_time && absences.length === 0 && isPlanned && first >= 0) {
    const missed = ofDay.filter(({ time }, at) => isWithin(time, core_time) && (at < first || at > last))
    found.push(['core_time_missed', missed.length])
  }
  return found.filter(([, amount]) => amount > 0).map(([code, amount]) => `${code} ${amount}`)
}

/** Returns the minutes from two days before a date to two days after it. */
function minutesAround(date: string, entries: readonly NaiveEntry[]): Minute[] {
  const midnight = Date.parse(date)
  const times = entries.flatMap(({ kind, counts, started_at, ended_at }) =>
    started_at && ended_at && counts !== false
      ? [{ kind, start: Date.parse(started_at), end: Date.parse(ended_at) }]
      : [],
  )
  return Array.from({ length: 5 * DAY }, (_, index) => {
    const ms = midnight + (index - 2 * DAY) * MINUTE_MS
    const covered = new Set(times.filter(({ start, end }) => start <= ms && ms < end).map(({ kind }) => kind))
    const wall = Math.round((ms + berlinOffsetMs(ms) - midnight) / MINUTE_MS)
    const day = Math.floor(wall / DAY)
    return { day, time: wall - day * DAY, isWork: covered.has('work') && !covered.has('break') }
  })
}

/** Summer time of 2026 begins on 29 March and ends on 25 October, at 1:00 UTC. */
function berlinOffsetMs(ms: number): number {
  const isSummer = ms >= Date.parse('2026-03-29T01:00Z') && ms < Date.parse('2026-10-25T01:00Z')
  return (isSummer ? 2 : 1) * HOUR * MINUTE_MS
}

function isWithin(time: number, { from, to }: Span): boolean {
  const [start, end] = [from, to].map((text) => Number(text.slice(0, 2)) * HOUR + Number(text.slice(3)))
  return time >= Number(start) && time < Number(end)
}

function plannedOn({ target_ms }: NaiveSettings, date: string): boolean {
  return (target_ms[(new Date(`${date}T00:00Z`).getUTCDay() + 6) % 7] ?? 0) > 0
}

/** Returns the indices at which shifts begin: at work after more than four hours without any. */
function shiftStarts(minutes: readonly Minute[]): number[] {
  return minutes.flatMap(({ isWork }, at) => {
    const before = minutes.slice(Math.max(0, at - 4 * HOUR - 1), at)
    return isWork && !before.some((minute) => minute.isWork) ? [at] : []
  })
}

function shortRest(minutes: readonly Minute[]): number {
  const start = shiftStarts(minutes).find((at) => minutes[at]?.day === 0)
  const before = minutes.slice(0, start).findLastIndex(({ isWork }) => isWork)
  if (start === undefined || before < 0) return 0
  const rest = start - before - 1
  return rest < 11 * HOUR ? rest : 0
}

function nightWork(minutes: readonly Minute[], { night, nightWork }: (typeof laws)['de' | 'at' | 'ch']): number {
  const [from, to] = night
  const starts = shiftStarts(minutes)
  const amounts = starts.map((start, index) => {
    if (minutes[start]?.day !== 0) return 0
    const shift = minutes.slice(start, starts[index + 1])
    return shift.filter(({ isWork, time }) => isWork && (time >= from * HOUR || time < to * HOUR)).length
  })
  return Math.max(0, ...amounts.filter((amount) => amount >= nightWork))
}
