import {
  type AbsenceContent,
  addDays,
  contentOf,
  type DateRange,
  dateAt,
  dateInYear,
  datesOfMonth,
  dayStart,
  type EpochMs,
  GENERATED_AT,
  type HolidayRange,
  type HolidaySettings,
  type Holidays,
  holidayId,
  holidaysIn,
  holidaysUnder,
  instantOf,
  isAbsence,
  type KnownDays,
  type LocalDate,
  monthOf,
  planHolidays,
  type RecordId,
  type StoredHoliday,
  type Timeline,
  type UserNumber,
  yearOf,
} from '@saldo/core'
import { derivedOnce } from '../derived-once.ts'
import type { RecordToStore, StoredRecord, UserReader, UserWriter } from '../store/store.ts'
import { dateSpan, liveFieldsOf, RecordMap } from '../store/stored-records.ts'
import { readTimeline } from './account-reads.ts'
import { affectedBy } from './affected-ranges.ts'
import type { AccountContext } from './context.ts'
import { BEFORE_OTHER_JOBS } from './enqueue-holidays.ts'
import { recomputeAffected } from './recompute.ts'
import type { TaskOf } from './tasks.ts'

export type HolidaysTask = TaskOf<'holidays'>

/**
 * Generates public holidays, two years at a time, through the end of next year (D16.2, D16.3): a new month takes one
 * piece, and so one commit, for each user. Returns the rest of the job; once all is done, it is due again next month.
 * Returns undefined if no settings ask for holidays.
 */
export async function runHolidays(
  writer: UserWriter,
  { ranges }: HolidaysTask,
  context: AccountContext,
  knownDays: KnownDays,
): Promise<{ task: HolidaysTask; dueMs: EpochMs } | undefined> {
  const timeline = await readTimeline(writer)
  const today = dateAt(timeline, context.nowMs)
  const last = lastOfNextYear(today)
  const waiting: HolidayRange[] = ranges.length > 0 ? ranges : [{ from: today, to: last }]
  const reached = waiting.filter(({ from }) => from <= last)
  const [first, ...others] = reached.map((range) => endingBy(range, last))
  if (first) {
    const piece = endingBy(first, lastOfNextYear(first.from))
    await generateHolidays(writer, timeline, piece, today, context, knownDays)
    const rest = piece.to < first.to ? [{ ...first, from: addDays(piece.to, 1) }, ...others] : others
    if (rest.length > 0) return { task: { kind: 'holidays', ranges: rest }, dueMs: BEFORE_OTHER_JOBS }
  }
  if (!timeline.some(({ holidays }) => holidays)) return undefined
  return { task: { kind: 'holidays', ranges: [] }, dueMs: dayStart(timeline, firstOfNextMonth(today)) }
}

/** Returns a range without the dates after `last`. */
function endingBy(range: HolidayRange, last: LocalDate): HolidayRange {
  return range.to > last ? { ...range, to: last } : range
}

function lastOfNextYear(date: LocalDate): LocalDate {
  return dateInYear(yearOf(date) + 1, '12-31')
}

function firstOfNextMonth(date: LocalDate): LocalDate {
  return addDays(datesOfMonth(monthOf(date)).to, 1)
}

/** Stores and removes the generated holidays of a range by the plan, and recomputes the closed days (D16.12). */
async function generateHolidays(
  writer: UserWriter,
  timeline: Timeline<HolidaySettings>,
  { from, to, before }: HolidayRange,
  today: LocalDate,
  context: AccountContext,
  knownDays: KnownDays,
): Promise<void> {
  const range = { from, to }
  const holidays = holidaysIn(timeline, range, knownDays)
  const holidaysBefore = before === undefined ? undefined : holidaysUnder(before, range, knownDays)
  const { storedByDate, handMade } = await readHolidays(writer, context.user, range, holidays)
  const states = new Map([...storedByDate].map(([date, record]) => [date, stateOf(record)]))
  const plan = planHolidays({ today, holidays, holidaysBefore, stored: states, handMade })
  const locked = new Set((await writer.memberMonths())?.locked)
  for (const date of plan.keys()) if (locked.has(monthOf(date))) plan.delete(date)
  if (plan.size === 0) return
  const toStore = [...plan].map(([date, content]) => {
    return buildHoliday(holidayId(context.user, date), content, storedByDate.get(date), context.nowMs)
  })
  const stored = new RecordMap([...storedByDate.values()])
  const replaced = (await writer.put(toStore)).map((after) => ({ before: stored.get(after), after }))
  // The settings are as before.
  const affected = await affectedBy(replaced, timeline, timeline)
  await recomputeAffected({ ...context, writer, timeline }, affected)
}

/** Reads the generated holidays of a range and the tombstones of `holidays`, and the dates of those by hand. */
async function readHolidays(
  reader: UserReader,
  user: UserNumber,
  range: DateRange,
  holidays: Holidays,
): Promise<{ storedByDate: Map<LocalDate, StoredRecord<'entries'>>; handMade: Set<LocalDate> }> {
  const idOn = derivedOnce((date: LocalDate) => holidayId(user, date))
  const dates = new Set(holidays.keys())
  const handMade = new Set<LocalDate>()
  const entries = await reader.accountEntries(dateSpan(range))
  for (const entry of entries) {
    if (entry.kind !== 'public_holiday') continue
    if (entry.id === idOn(entry.date)) dates.add(entry.date)
    else handMade.add(entry.date)
  }
  const keyOn = (date: LocalDate) => ({ kind: 'entries', id: idOn(date) }) as const
  const found = new RecordMap(await reader.find([...dates].map(keyOn)))
  const storedByDate = new Map<LocalDate, StoredRecord<'entries'>>()
  for (const date of dates) {
    const record = found.get(keyOn(date))
    if (record) storedByDate.set(date, record)
  }
  return { storedByDate, handMade }
}

/** The record of a holiday is an absence: a person who made it something else has touched it. */
function stateOf(record: StoredRecord<'entries'>): StoredHoliday {
  const entry = liveFieldsOf(record)
  const content = entry && isAbsence(entry) ? contentOf(entry) : null
  return { isUntouched: record.updatedAt === GENERATED_AT, content }
}

function buildHoliday(
  id: RecordId,
  content: AbsenceContent | null,
  stored: StoredRecord<'entries'> | undefined,
  nowMs: EpochMs,
): RecordToStore<'entries'> {
  const created_at = stored?.fields.created_at ?? instantOf(nowMs)
  const fields = { id, ...content, created_at, updated_at: GENERATED_AT }
  const claims = stored?.claims ?? {}
  return { kind: 'entries', id, updatedAt: GENERATED_AT, deleted: content === null, fields, claims }
}
