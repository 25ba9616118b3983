import { breakPlace, clockText, instantAt, wallAt } from '@saldo/client/entries'
import { certainTime } from '@saldo/client/reading'
import {
  type AbsenceContent,
  type AbsenceSize,
  addDays,
  type DurationMs,
  daysBetween,
  type EntryContent,
  entryLimits,
  epochMs,
  type Instant,
  instantOf,
  intervalOf,
  isCounted,
  isSize,
  isTimed,
  type LocalDate,
  sizeOf,
  type TimedEntryContent,
  WHOLE_DAY,
  type ZoneName,
} from '@saldo/core'

/** The values of the form's fields; times as local `HH:MM`. */
export interface EntryValues {
  kind: EditableContent['kind']
  date: LocalDate
  start: string
  endDate: LocalDate
  end: string
  isRunning: boolean
  /** The break to enter inside a new entry. */
  breakMs: DurationMs
  /** Of work: true if it is part of the account. */
  counts: boolean
  /** Of an absence. */
  size: AbsenceSize
  project: string
  tags: string[]
  note: string
}

/** The content of an entry that the editor can show: granted vacation days and requests have forms of their own. */
export type EditableContent = TimedEntryContent | AbsenceContent

export type EntryFormProblem = 'endBeforeStart' | 'noTime' | 'tooLong' | 'share' | 'break' | EntryDoubt

/** A reason to ask before a form is stored: it has no length or a time that a clock change skips, or is years away. */
type EntryDoubt = 'noLength' | 'farDate' | 'skippedTime'

export function entryValuesOf(content: EditableContent, zone: ZoneName): EntryValues {
  const { kind, project, tags, note } = content
  const common = { kind, project: project ?? '', tags, note, counts: isCounted(content), size: WHOLE_DAY, breakMs: 0 }
  if (!isTimed(content)) {
    const { date } = content
    return { ...common, date, start: '', endDate: date, end: '', isRunning: false, size: sizeOf(content) }
  }
  const start = wallAt(epochMs(content.started_at), zone)
  const end = content.ended_at === null ? undefined : wallAt(epochMs(content.ended_at), zone)
  return {
    ...common,
    date: start.date,
    start: clockText(start.minutes),
    endDate: end?.date ?? start.date,
    end: end ? clockText(end.minutes) : '',
    isRunning: end === undefined,
  }
}

/**
 * Returns the edited entry. A start or end that was not edited keeps its seconds: the fields show minutes only.
 */
export function contentOfForm(
  form: EntryValues,
  before: EditableContent,
  zone: ZoneName,
): { ok: true; content: EditableContent } | { ok: false; problem: EntryFormProblem } {
  const project = form.project.trim() === '' ? null : form.project.trim()
  const { tags, note } = form
  if (!isTimedKind(form.kind)) {
    if (!isSize(form.size)) return { ok: false, problem: 'share' }
    const { time_zone, source, import_ref } = before
    const kept = { time_zone, source, import_ref, project, tags, note }
    return { ok: true, content: { ...kept, kind: form.kind, date: form.date, ...form.size } }
  }
  const shown = entryValuesOf(before, zone)
  const wasTimed = isTimed(before) ? before : undefined
  const startedAt =
    form.date === shown.date && form.start === shown.start
      ? wasTimed?.started_at
      : instantOfText(form.date, form.start, zone)
  const endedAt =
    form.endDate === shown.endDate && form.end === shown.end
      ? wasTimed?.ended_at
      : instantOfText(form.endDate, form.end, zone)
  if (!startedAt || (!endedAt && !form.isRunning)) return { ok: false, problem: 'noTime' }
  if (!form.isRunning && (endedAt as Instant) < startedAt) return { ok: false, problem: 'endBeforeStart' }
  const isTooLong = !form.isRunning && epochMs(endedAt as Instant) - epochMs(startedAt) > entryLimits.ms
  if (isTooLong) return { ok: false, problem: 'tooLong' }
  const {
    date: _date,
    day_share: _share,
    amount_ms: _amount,
    ...rest
  } = before as EntryContent & Partial<AbsenceContent>
  const ended_at = form.isRunning ? null : (endedAt as Instant)
  const timed = { ...rest, started_at: startedAt, ended_at, project, tags, note }
  const { kind, counts } = form
  return { ok: true, content: kind === 'work' ? { ...timed, kind, counts } : { ...timed, kind } }
}

const DAY_MINUTES = 1_440
/** The years before and after today within which dates are usual. */
const YEARS_BACK = 5
const YEARS_AHEAD = 1

/** Returns what is doubtful about the times of a form, unless they are those of the stored entry. */
export function doubtOf(
  form: EntryValues,
  stored: EntryValues | undefined,
  today: LocalDate,
  zone: ZoneName,
): EntryDoubt | undefined {
  const timesOf = ({ date, start, endDate, end }: EntryValues) => [date, start, endDate, end].join()
  if (stored && timesOf(stored) === timesOf(form)) return undefined
  const years = Number(form.date.slice(0, 4)) - Number(today.slice(0, 4))
  if (years < -YEARS_BACK || years > YEARS_AHEAD) return 'farDate'
  if (!isTimedKind(form.kind)) return undefined
  if (isSkipped(form.date, form.start, zone)) return 'skippedTime'
  if (form.isRunning) return undefined
  if (isSkipped(form.endDate, form.end, zone)) return 'skippedTime'
  return form.date === form.endDate && form.start === form.end ? 'noLength' : undefined
}

/** True if the clocks go forward over a time on a date. */
function isSkipped(date: LocalDate, text: string, zone: ZoneName): boolean {
  const minutes = certainTime(text)
  // 24:00 is 0:00 of the next date.
  return minutes !== undefined && wallAt(instantAt(date, minutes, zone), zone).minutes !== minutes % DAY_MINUTES
}

/** A form for an entry: its first form, and how a form of it is read, both in one time zone. */
interface EntryForm {
  form: EntryValues
  read(form: EntryValues): ReturnType<typeof contentOfForm>
}

/** Returns the form of an entry in its own zone; in `zone` if it has none. */
export function formInOwnZone(content: EditableContent, zone: ZoneName): EntryForm {
  const ownZone = content.time_zone ?? zone
  return { form: entryValuesOf(content, ownZone), read: (form) => contentOfForm(form, content, ownZone) }
}

/** Returns how the form shows the date of the end: as a note on the day after the start, as a field later. */
export function endDateShown({ date, endDate, isRunning }: EntryValues): 'note' | 'field' | undefined {
  if (isRunning || endDate === date) return undefined
  return endDate > addDays(date, 1) ? 'field' : 'note'
}

/**
 * Returns changed dates and times with the date of the end: an end before the start is on the next day. Entries that
 * last longer keep their number of days.
 */
export function withTimes(
  form: EntryValues,
  changed: Partial<Pick<EntryValues, 'date' | 'start' | 'end'>>,
): Partial<EntryValues> {
  const { date, start, end } = { ...form, ...changed }
  const days = daysBetween(form.date, form.endDate)
  if (days > 1) return { ...changed, endDate: addDays(date, days) }
  const [startMinutes, endMinutes] = [certainTime(start), certainTime(end)]
  const isNextDay = startMinutes !== undefined && endMinutes !== undefined && endMinutes < startMinutes
  return { ...changed, endDate: isNextDay ? addDays(date, 1) : date }
}

const NOON_MINUTES = 12 * 60

/**
 * Returns a break of a length inside work: at noon if that lies within the work, else in its middle. `undefined` if it
 * does not fit.
 */
export function breakInside(work: EntryContent, lengthMs: DurationMs, zone: ZoneName): EntryContent | undefined {
  const whole = intervalOf(work)
  const place = whole && breakPlace(whole, lengthMs, instantAt(wallAt(whole.start, zone).date, NOON_MINUTES, zone))
  if (!place) return undefined
  const { time_zone, source, import_ref } = work
  const times = { started_at: instantOf(place.start), ended_at: instantOf(place.end) }
  return { kind: 'break', ...times, time_zone, source, import_ref, project: null, tags: [], note: '' }
}

export function isTimedKind(kind: EditableContent['kind']): kind is 'work' | 'break' {
  return kind === 'work' || kind === 'break'
}

function instantOfText(date: LocalDate, text: string, zone: ZoneName): Instant | undefined {
  const minutes = certainTime(text)
  return minutes === undefined ? undefined : instantOf(instantAt(date, minutes, zone))
}
