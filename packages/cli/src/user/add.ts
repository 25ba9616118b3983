import {
  certainPlan,
  changesOfPlan,
  type Plan,
  type QuickEntryProblem,
  quickContextOf,
  readQuickEntry,
  type TimedRecord,
} from '@saldo/client/entries'
import { type AbsenceContent, type Entry, epochMs, instantOf, isTimed, type LocalDate, zoneOn } from '@saldo/core'
import { CommandError } from '../command-error.ts'
import { dateArgument } from './arguments.ts'
import { choose } from './ask.ts'
import { dateOf, lengthMs, timeText, whatText, whenText } from './describe.ts'
import { allEntries, type DeviceSession, type Output, record, store, type UserOptions } from './session.ts'
import { counted, hours } from './text.ts'

const problems: Record<QuickEntryProblem, string> = {
  empty: 'enter a time, such as 9-12:30 or 2h',
  lineTooLong: 'too long: a line has at most 1,000 characters',
  noTime: 'add a time, such as 9-12:30 or 2h',
  noEnd: 'add an end, such as 9-17; a timer starts now or within the last 24 hours',
  noStart: 'add a start, such as 9-17',
  noFrom: 'from when? For example: 3 days vacation from Monday',
  noUntil: 'until when? For example: vacation Mon-Fri',
  noBreakLength: 'how long was the break? For example: 9-17 break 30',
  breakTooLong: 'the break does not fit into the work',
  noDate: 'this date does not exist',
  noDays: 'which days? for example: mon-fri 9-17 except wed',
  whichDay: 'which date is that? for example: vacation 24.12.',
  weekdayDiffers: 'the date is on another weekday',
  overlap: 'these times overlap',
  noFit: 'these parts do not fit together',
  tooLong: 'too long: use at most 24 hours, 31 days of work, or 400 days of absence',
  absenceTime: 'absences are whole days or parts of days, such as vacation 50%',
  allOff: 'these days are already off',
}

export interface TextOptions extends UserOptions {
  /** The number of the meaning of a line with several. */
  choose?: string
}

/** Records what a line of the app's quick entry says. */
export function add(words: readonly string[], options: TextOptions & { date?: string }): Promise<void> {
  return record(options, async (session) => {
    const rows = await allEntries(session)
    const date = options.date === undefined ? session.today : dateArgument(options.date, '--date', session)
    const plan = await planOf(words, { ...session, date }, rows, options)
    await store(session, changesOfPlan(plan, rows, zoneOn(session.timeline, date)))
    return outputOf(plan, overlapping(plan, rows, session), session)
  })
}

/** Returns the one meaning of a line. Asks at a terminal, and throws `CommandError` elsewhere, if it has several. */
export async function planOf(
  words: readonly string[],
  session: DeviceSession & { date: LocalDate },
  rows: Awaited<ReturnType<typeof allEntries>>,
  { choose: chosen, json }: TextOptions,
): Promise<Plan> {
  const reading = readQuickEntry(words.join(' '), quickContextOf(session, rows, session.nowMs))
  if (reading.kind === 'nothing') throw new CommandError(problems[reading.problem], 2)
  const certain = certainPlan(reading)
  if (certain || reading.kind !== 'doubtful') return certain as Plan
  const choices = reading.choices.map((plan) => choiceText(plan, session))
  const number = chosen ?? (json ? undefined : await choose(choices))
  const plan = reading.choices[Number(number) - 1]
  if (plan) return plan
  const list = choices.map((text, index) => `${index + 1}) ${text}`).join('; ')
  throw new CommandError(`${questionOf(reading)}, choose with --choose: ${list}`, 2)
}

function questionOf({ choices, unclear }: { choices: readonly Plan[]; unclear: readonly string[] }): string {
  if (unclear.length > 0) return `«${unclear.join('», «')}» is not understood, and a note so far`
  return choices.length > 1 ? 'this can mean several things' : 'did you mean this'
}

/** Returns what a plan would add. Names new projects, since a project and a note look alike. */
function choiceText(plan: Plan, session: DeviceSession): string {
  const text = [...planLines(plan, session), ...leftOutLines(plan)].join(', ')
  const projects = plan.kind === 'entries' ? plan.newProjects : []
  return projects.length > 0 ? `${text} (new project ${projects.join(', ')})` : text
}

function planLines(plan: Plan, { zone, timeline }: DeviceSession): string[] {
  switch (plan.kind) {
    case 'entries':
      return plan.entries.map((entry) => entryLine(entry as Entry, zone))
    case 'timer':
      return [`${plan.action} at ${timeText(plan.startMs, zone)} ${whatText({ kind: 'work', ...plan.text })}`.trim()]
    case 'absence': {
      const [first] = plan.days
      const textOf = (day: AbsenceContent) =>
        day.day_share === 1 ? '' : whenText(day as Entry, zoneOn(timeline, day.date))
      const dates = [...Map.groupBy(plan.days, textOf)].map(([size, days]) => {
        const [from, to] = [days[0]?.date, days.at(-1)?.date]
        const range = from === to ? from : `${from} to ${to}, ${counted(days.length, 'day')}`
        return size === '' ? range : `${range}, ${size}`
      })
      const off = plan.isDayOff ? ', on which no work is planned' : ''
      const free = plan.freeCount > 0 ? `, ${counted(plan.freeCount, 'day')} off skipped` : ''
      const replaced = plan.replacedCount > 0 ? `, in place of ${counted(plan.replacedCount, 'day')} of leave` : ''
      return [`${first ? whatText(first) : 'absence'}: ${dates.join(' and ')}${off}${free}${replaced}`]
    }
  }
}

function leftOutLines(plan: Plan): string[] {
  const isLeavingOut = plan.kind === 'entries' && plan.freeCount > 0
  return isLeavingOut ? [`without planned work, left out: ${counted(plan.freeCount, 'day')}`] : []
}

export function entryLine(entry: Entry, zone: string): string {
  const length = lengthMs(entry, 0)
  const [date, when] = [dateOf(entry, zone), whenText(entry, zone)]
  return [date, when, length === undefined ? '' : `(${hours(length)})`, whatText(entry)].filter(Boolean).join(' ')
}

/** Returns recorded work that overlaps the work of a plan. */
function overlapping(plan: Plan, rows: Awaited<ReturnType<typeof allEntries>>, { nowMs }: DeviceSession): Entry[] {
  const planned = plan.kind === 'entries' ? plan.entries.filter(({ kind }) => kind === 'work') : []
  const timesOf = ({ started_at, ended_at }: Pick<TimedRecord, 'started_at' | 'ended_at'>) => ({
    start: epochMs(started_at),
    end: ended_at === null ? nowMs : epochMs(ended_at),
  })
  const spans = planned.map(timesOf)
  return rows
    .map((row) => row.record)
    .filter(isTimed)
    .filter((entry) => {
      const { start, end } = timesOf(entry)
      return entry.kind === 'work' && spans.some((span) => span.start < end && start < span.end)
    })
}

function outputOf(plan: Plan, overlaps: readonly Entry[], session: DeviceSession): Output {
  const added = plan.kind === 'entries' ? plan.entries : plan.kind === 'absence' ? plan.days : []
  const timer = plan.kind === 'timer' ? { verb: plan.action, started_at: instantOf(plan.startMs), ...plan.text } : null
  return {
    lines: [
      ...planLines(plan, session).map((line) => `added ${line}`),
      ...leftOutLines(plan),
      ...overlaps.map((entry) => `overlaps ${entryLine(entry, session.zone)}, recorded before`),
    ],
    json: { added, timer, overlaps },
  }
}
