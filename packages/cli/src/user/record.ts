import {
  absenceChanges,
  type Change,
  certainPlan,
  changesOfPlan,
  instantAt,
  isAbsenceRecord,
  isTimedRecord,
  knownNames,
  type Plan,
  planAbsence,
  problemOf,
  type QuickEntryProblem,
  quickContextOf,
  readQuickEntry,
  readSubject,
  readTime,
  recentWork,
  sizeOfAmount,
  sizeOfShare,
  timerChanges,
  timerState,
  WHOLE_DAY,
  wallAt,
} from '@saldo/client/entries'
import {
  type DayEntryContent,
  type Entry,
  epochMs,
  HOUR_MS,
  type Instant,
  instantOf,
  isDate,
  type LocalDate,
  type ZoneName,
  zoneOn,
} from '@saldo/core'
import { CommandError } from '../command-error.ts'
import { choose } from './ask.ts'
import { dateOf, lengthMs, timeText, whatText, whenText } from './describe.ts'
import { allEntries, type Output, record, type Session, store, type UserOptions } from './session.ts'
import { counted, hours } from './text.ts'

const RECENT = 50
const DAY_MINUTES = 24 * 60

/** Reads a time of day, as minutes. */
function timeOf(text: string, option: string): number {
  const minutes = readTime(text)
  if (minutes === undefined) throw new CommandError(`${option} must be a time such as 9:00`, 2)
  return minutes
}

/** Returns the time of `--at`, today and not ahead; now without it. */
function atOf({ at }: { at?: string }, { nowMs, today, zone }: Session): number {
  if (at === undefined) return nowMs
  const ms = instantAt(today, timeOf(at, '--at'), zone)
  if (ms > nowMs) throw new CommandError('--at must not be after now', 2)
  return ms
}

/** Starts a timer, which ends those that run. */
export function start(words: readonly string[], options: UserOptions & { at?: string }): Promise<void> {
  return record(options, async (session) => {
    const rows = await allEntries(session)
    const records = rows.map((row) => row.record)
    const timed = records.filter(isTimedRecord)
    const text = words.join(' ')
    const subject = readSubject(text, recentWork(records, RECENT), knownNames(records).projects)
    const at = atOf(options, session)
    const like = text.trim() === '' ? undefined : subject
    const changes = timerChanges(timed, 'start', at, session.zone, like)
    requireAfterStart(changes, at)
    await store(session, changes)
    const [started] = changes.flatMap((change) => (change.op === 'create' ? [change.content] : []))
    const what = started ? whatText(started) : ''
    return {
      lines: [...stoppedLines(changes, session), `started at ${timeText(at, session.zone)}${what && `: ${what}`}`],
      json: { started: started ?? null, stopped: changes.filter(({ op }) => op === 'update').length },
    }
  })
}

/** Stops the timer. */
export function stop(options: UserOptions & { at?: string }): Promise<void> {
  return record(options, async (session) => {
    const timed = (await allEntries(session)).map((row) => row.record).filter(isTimedRecord)
    if (timerState(timed).kind === 'idle') throw new CommandError('no timer is running')
    const at = atOf(options, session)
    const changes = timerChanges(timed, 'stop', at, session.zone)
    requireAfterStart(changes, at)
    await store(session, changes)
    return {
      lines: stoppedLines(changes, session),
      json: {
        stopped: changes.flatMap((change) => (change.op === 'update' ? [{ ...change.record, ...change.patch }] : [])),
      },
    }
  })
}

function requireAfterStart(changes: readonly Change[], at: number): void {
  const isEarly = changes.some(
    (change) => change.op === 'update' && isTimedRecord(change.record) && epochMs(change.record.started_at) > at,
  )
  if (isEarly) throw new CommandError('the timer that runs was started later than that', 2)
}

function stoppedLines(changes: readonly Change[], { zone, nowMs }: Session): string[] {
  return changes.flatMap((change) => {
    if (change.op !== 'update') return []
    const entry = { ...change.record, ...change.patch } as Entry
    const what = whatText(entry)
    return `stopped after ${hours(lengthMs(entry, nowMs) ?? 0)} (${whenText(entry, zone)})${what && `: ${what}`}`
  })
}

const problems: Record<QuickEntryProblem, string> = {
  empty: 'enter a time, such as 9-12:30 or 2h',
  noTime: 'add a time, such as 9-12:30 or 2h',
  noEnd: 'add an end, such as 9-17; a timer starts now or within the last 24 hours',
  noStart: 'add a start, such as 9-17',
  noFrom: 'from when? For example: 3 days vacation from Monday',
  noUntil: 'until when? For example: vacation Mon-Fri',
  noBreakLength: 'how long was the break? For example: 9-17 break 30',
  breakTooLong: 'the break does not fit into the work',
  noDate: 'this date does not exist',
  overlap: 'these times overlap',
  noFit: 'these parts do not fit together',
  tooLong: 'too long: use at most 24 hours, 31 days of work, or 400 days of absence',
  absenceTime: 'absences are whole days or parts of days, such as vacation 50%',
  allOff: 'these days are already off',
}

interface TextOptions extends UserOptions {
  /** The number of the meaning of a line with several. */
  choose?: string
}

/** Records what a line of the app's quick entry says. */
export function add(words: readonly string[], options: TextOptions & { date?: string }): Promise<void> {
  return record(options, async (session) => {
    const rows = await allEntries(session)
    const date = options.date === undefined ? session.today : dateArgument(options.date, '--date')
    const plan = await planOf(words, { ...session, date }, rows, options)
    await store(session, changesOfPlan(plan, rows, zoneOn(session.timeline, date)))
    return outputOf(plan, session)
  })
}

/** Returns the one meaning of a line. Asks at a terminal, and throws `CommandError` elsewhere, if it has several. */
async function planOf(
  words: readonly string[],
  session: Session & { date: LocalDate },
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
  throw new CommandError(`this can mean several things, choose with --choose: ${list}`, 2)
}

/** Returns what a plan would add. Names new projects, since a project and a note look alike. */
function choiceText(plan: Plan, session: Session): string {
  const text = planLines(plan, session).join(', ')
  const projects = plan.kind === 'entries' ? plan.newProjects : []
  return projects.length > 0 ? `${text} (new project ${projects.join(', ')})` : text
}

function planLines(plan: Plan, { zone, timeline }: Session): string[] {
  switch (plan.kind) {
    case 'entries':
      return plan.entries.map((entry) => entryLine(entry as Entry, zone))
    case 'timer':
      return [`${plan.verb} at ${timeText(plan.startMs, zone)} ${whatText({ kind: 'work', ...plan.text })}`.trim()]
    case 'absence': {
      const { from, to } = plan.range
      const dates = from === to ? from : `${from} to ${to}, ${counted(plan.days.length, 'day')}`
      const [first] = plan.days
      const size = first && first.day_share !== 1 ? `, ${whenText(first as Entry, zoneOn(timeline, from))}` : ''
      const free = plan.freeCount > 0 ? `, ${counted(plan.freeCount, 'day')} off skipped` : ''
      return [`${first ? whatText(first) : 'absence'}: ${dates}${size}${free}`]
    }
  }
}

function entryLine(entry: Entry, zone: string): string {
  const length = lengthMs(entry, 0)
  const [date, when] = [dateOf(entry, zone), whenText(entry, zone)]
  return [date, when, length === undefined ? '' : `(${hours(length)})`, whatText(entry)].filter(Boolean).join(' ')
}

function outputOf(plan: Plan, session: Session): Output {
  const added = plan.kind === 'entries' ? plan.entries : plan.kind === 'absence' ? plan.days : []
  const timer = plan.kind === 'timer' ? { verb: plan.verb, started_at: instantOf(plan.startMs), ...plan.text } : null
  return { lines: planLines(plan, session).map((line) => `added ${line}`), json: { added, timer } }
}

/** Options of `saldo edit`. */
export interface EditOptions extends TextOptions {
  start?: string
  end?: string
  project?: string
  note?: string
  tags?: string
  date?: string
  delete?: true
}

/** Changes or deletes an entry, which the beginning of its id names. */
export function edit(id: string, words: readonly string[], options: EditOptions): Promise<void> {
  return record(options, async (session) => {
    const rows = await allEntries(session)
    const entry = entryOf(
      rows.map((row) => row.record),
      id,
    )
    if (options.delete) {
      await store(session, [{ op: 'delete', record: entry }])
      return { lines: [`deleted ${entryLine(entry, session.zone)}`], json: { deleted: entry } }
    }
    const others = rows.filter((row) => row.record.id !== entry.id)
    const patch =
      words.length > 0 ? await patchOfText(entry, words, session, others, options) : patchOf(entry, options, session)
    if (Object.keys(patch).length === 0) throw new CommandError('nothing to change: give a line or an option', 2)
    await store(session, [{ op: 'update', record: entry, patch }])
    const after = { ...entry, ...patch } as Entry
    return { lines: [`changed ${entryLine(after, session.zone)}`], json: { changed: after } }
  })
}

function entryOf(entries: readonly Entry[], id: string): Entry {
  const found = entries.filter((entry) => entry.id.startsWith(id.toLowerCase()))
  const [only] = found
  if (!only || id === '') throw new CommandError(`there is no entry ${id}: «saldo log» shows ids`)
  if (found.length > 1) throw new CommandError(`${found.length} entries begin with ${id}: give more of the id`, 2)
  return only
}

async function patchOfText(
  entry: Entry,
  words: readonly string[],
  session: Session,
  others: Awaited<ReturnType<typeof allEntries>>,
  options: EditOptions,
): Promise<Partial<Entry>> {
  const plan = await planOf(words, { ...session, date: dateOf(entry, session.zone) }, others, options)
  const contents = plan.kind === 'entries' ? plan.entries : plan.kind === 'absence' ? plan.days : []
  const [content] = contents
  if (!content || contents.length > 1) throw new CommandError('a line that edits must be about one entry', 2)
  const { source: _source, import_ref: _ref, ...patch } = content
  return patch as Partial<Entry>
}

function patchOf(entry: Entry, options: EditOptions, session: Session): Partial<Entry> {
  const { project, note, tags, date } = options
  return {
    ...(project !== undefined && { project: project === '' ? null : project }),
    ...(note !== undefined && { note }),
    ...(tags !== undefined && { tags: tags.split(/[\s,]+/).flatMap((tag) => tag.replace(/^#/, '') || []) }),
    ...timesOf(entry, options, session.zone),
    ...(date !== undefined && !isTimedRecord(entry) && { date: dateArgument(date, '--date') }),
  } as Partial<Entry>
}

/**
 * Returns the times of a timed entry that the options change: a date moves all of it, a start or end of the clock is on
 * its date, and an end before the start on the next one. Throws `CommandError`.
 */
export function timesOf(
  entry: Entry,
  { start: from, end: to, date: on }: Pick<EditOptions, 'start' | 'end' | 'date'>,
  zone: ZoneName,
): { started_at?: Instant; ended_at?: Instant } {
  if (from === undefined && to === undefined && on === undefined) return {}
  if (!isTimedRecord(entry)) {
    if (from === undefined && to === undefined) return {}
    throw new CommandError('an absence has no times of day', 2)
  }
  const startMs = epochMs(entry.started_at)
  const wall = wallAt(startMs, zone)
  const date = on === undefined ? wall.date : dateArgument(on, '--date')
  const movedMs = instantAt(date, wall.minutes, zone) - instantAt(wall.date, wall.minutes, zone)
  const start = from === undefined ? startMs + movedMs : instantAt(date, timeOf(from, '--start'), zone)
  const started_at = instantOf(start)
  if (to === undefined) {
    return entry.ended_at === null
      ? { started_at }
      : { started_at, ended_at: instantOf(epochMs(entry.ended_at) + movedMs) }
  }
  const minutes = timeOf(to, '--end')
  const sameDay = instantAt(date, minutes, zone)
  return { started_at, ended_at: instantOf(sameDay >= start ? sameDay : instantAt(date, minutes + DAY_MINUTES, zone)) }
}

function dateArgument(text: string, what: string): LocalDate {
  if (!isDate(text)) throw new CommandError(`${what} must be a date such as 2026-11-20`, 2)
  return text
}

/** Records an absence on the days of a range on which work is planned. */
export function absence(
  kind: DayEntryContent['kind'],
  dates: string,
  options: UserOptions & { half?: true; hours?: string; note?: string },
): Promise<void> {
  return record(options, async (session) => {
    const [first = '', last = first, ...rest] = dates.split('..')
    if (rest.length > 0) throw new CommandError('give a date, or two as in 2026-12-24..2026-12-31', 2)
    const range = { from: dateArgument(first, 'the first day'), to: dateArgument(last, 'the last day') }
    const { note = '' } = options
    const draft = { kind, ...range, size: sizeOf(options), isSkippingFree: range.from !== range.to, note }
    const problem = problemOf(draft)
    if (problem === 'order') throw new CommandError('the last day is before the first', 2)
    if (problem === 'tooLong') throw new CommandError('an absence has 400 days at most', 2)
    const rows = await session.saldo.entries.between(range).read()
    const absences = rows.map((row) => row.record).filter(isAbsenceRecord)
    const plan = planAbsence(draft, session.timeline, absences)
    const changes = absenceChanges(draft, undefined, plan)
    if (changes.length === 0) throw new CommandError('no work is planned on these days, or they are already off')
    await store(session, changes)
    const { amount_ms } = draft.size
    const part = amount_ms === null ? 'half a day' : hours(amount_ms)
    const size = draft.size === WHOLE_DAY ? '' : `, ${part}${plan.days.length > 1 ? ' each' : ''}`
    return {
      lines: [
        `added ${kind.replaceAll('_', ' ')} on ${counted(plan.days.length, 'day')}${size}: ` +
          plan.days.map(({ date }) => date).join(' '),
        ...(plan.free.length > 0 ? [`without planned work, left out: ${plan.free.join(' ')}`] : []),
        ...(plan.full.length > 0 ? [`already off, left out: ${plan.full.join(' ')}`] : []),
      ],
      json: { kind, days: plan.days, free: plan.free, full: plan.full },
    }
  })
}

function sizeOf(options: { half?: true; hours?: string }) {
  if (options.half && options.hours !== undefined) throw new CommandError('give either --half or --hours', 2)
  if (options.half) return sizeOfShare(0.5)
  if (options.hours === undefined) return WHOLE_DAY
  const count = Number(options.hours.replace(',', '.'))
  if (!(count > 0 && count <= 24)) throw new CommandError('--hours must be a number of hours such as 4 or 2.5', 2)
  return sizeOfAmount(Math.round(count * HOUR_MS))
}
