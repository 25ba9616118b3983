import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  addDays,
  type BalanceSummary,
  computeDay,
  type DateRange,
  dateAt,
  datesIn,
  type EpochMs,
  instantOf,
  LAST_DATE,
  type LocalDate,
  mondayOf,
  type Settings,
  type Timeline,
  weekOf,
  zoneOn,
} from '@saldo/core'
import {
  allDates,
  dateSpan,
  readClosedDays,
  readClosedWeeks,
  readEntriesByDate,
  readTimeline,
} from '../records/reading.ts'
import type { RecordStore, UserId, UserReader } from '../store/store.ts'
import { addDaysWithinCalendar } from './date-ranges.ts'
import { recomputingRanges } from './jobs.ts'

/** How many days without a closed week one read looks at, so that others need not wait long. */
const OPEN_DAYS_AT_ONCE = 182

/**
 * The balance summary (R1.4, R2.7), all of one version of the user's records. Where they change meanwhile it is begun
 * anew, each time with fewer reads, so that it comes to an end however often they change.
 */
export async function balanceSummary(store: RecordStore, user: UserId, nowMs: EpochMs): Promise<BalanceSummary> {
  for (let daysAtOnce = OPEN_DAYS_AT_ONCE; ; daysAtOnce *= 2) {
    const { version, summary, rest } = await store.read(user, (reader) => begin(reader, nowMs, daysAtOnce))
    const restDelta = await openDeltaAt(store, user, version, rest)
    if (restDelta === undefined) continue
    const open_delta_ms = summary.open_delta_ms + restDelta
    return { ...summary, open_delta_ms, projected_balance_ms: summary.balance_ms + open_delta_ms }
  }
}

/** The delta of open days piece by piece, a read each; `undefined` where the records are of another version by then. */
async function openDeltaAt(
  store: RecordStore,
  user: UserId,
  version: number,
  pieces: readonly DateRange[][],
): Promise<number | undefined> {
  let sum = 0
  for (const piece of pieces) {
    // An engine without waiting of its own would serve nobody else between two reads.
    await nextTurn()
    const delta = await store.read(user, async (reader) => {
      const same = (await reader.point()).version === version
      return same ? openDelta(reader, await readTimeline(reader), piece) : undefined
    })
    if (delta === undefined) return undefined
    sum += delta
  }
  return sum
}

/** The summary with the first piece of the open days; `rest` are those that it leaves for further reads. */
async function begin(reader: UserReader, nowMs: EpochMs, daysAtOnce: number) {
  const timeline = await readTimeline(reader)
  const today = dateAt(timeline, nowMs)
  const weeks = await readClosedWeeks(reader, allDates)
  const closed_weeks_delta_ms = weeks.reduce((sum, week) => sum + week.delta_ms, 0)
  const adjustments = await reader.sumDeltas('balance_adjustments', dateSpan(allDates))
  const future = await reader.sumDeltas(
    'balance_adjustments',
    dateSpan({ from: addDaysWithinCalendar(today, 1), to: LAST_DATE }),
  )
  const balance_ms = closed_weeks_delta_ms + adjustments.sum
  const [first = [], ...rest] = openPieces(timeline, new Set(weeks.map((week) => week.week)), today, daysAtOnce)
  const summary: BalanceSummary = {
    closed_weeks_delta_ms,
    adjustments_delta_ms: adjustments.sum,
    balance_ms,
    future_adjustments_delta_ms: future.sum,
    open_delta_ms: await openDelta(reader, timeline, first),
    projected_balance_ms: balance_ms,
    last_closed_week: weeks.at(-1)?.week ?? null,
    as_of: instantOf(nowMs),
    time_zone: timeline.length > 0 ? zoneOn(timeline, today) : null,
    recomputing: (await recomputingRanges(reader))
      .filter(({ from }) => from <= today)
      .map(({ from, to }) => ({ from, to: to < today ? to : today })),
  }
  return { version: (await reader.point()).version, summary, rest }
}

/** The finished days of the account that lie in no closed week: ranges, in pieces of at most `most` days. */
function openPieces(
  timeline: Timeline,
  closedWeeks: ReadonlySet<string>,
  today: LocalDate,
  most: number,
): DateRange[][] {
  const pieces: DateRange[][] = []
  let room = 0
  for (let from = timeline[0]?.effective_from ?? today; from < today; ) {
    const nextMonday = addDays(mondayOf(weekOf(from)), 7)
    const to = addDays(nextMonday < today ? nextMonday : today, -1)
    if (!closedWeeks.has(weekOf(from))) {
      if (room < 7) {
        pieces.push([])
        room = most
      }
      const piece = pieces.at(-1) as DateRange[]
      const last = piece.at(-1)
      if (last && last.to === addDays(from, -1)) last.to = to
      else piece.push({ from, to })
      room -= 7
    }
    from = nextMonday
  }
  return pieces
}

async function openDelta(
  reader: UserReader,
  timeline: Timeline<Settings>,
  ranges: readonly DateRange[],
): Promise<number> {
  let sum = 0
  for (const range of ranges) {
    const closedByDate = new Map((await readClosedDays(reader, range)).map((day) => [day.date, day.delta_ms]))
    const byDate = await readEntriesByDate(reader, timeline, range)
    for (const date of datesIn(range)) {
      sum += closedByDate.get(date) ?? computeDay(byDate.get(date) ?? [], timeline, date).delta_ms
    }
  }
  return sum
}
