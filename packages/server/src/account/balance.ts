import {
  addDays,
  type BalanceSummary,
  closeDay,
  type DateRange,
  dateAt,
  datesIn,
  type EpochMs,
  entriesByDate,
  type IsoDate,
  instantOf,
  LAST_DATE,
  mondayOf,
  type Settings,
  type Timeline,
  weekOf,
  zoneOn,
} from '@saldo/core'
import type { RecordStore, UserId, UserReader } from '../store/store.ts'
import { recomputingRanges } from './jobs.ts'
import { allDates, dateSpan, readClosedDays, readClosedWeeks, readEntries, readTimeline, shifted } from './records.ts'

/** How many days without a closed week one read looks at, so that others need not wait long. */
const OPEN_DAYS_AT_ONCE = 182
/** How often a summary is begun anew because the user's records changed meanwhile, before it is made in one go. */
const ATTEMPTS = 3

/** The balance summary (R1.4, R2.7), all of one version of the user's records. */
export async function balanceSummary(store: RecordStore, user: UserId, nowMs: EpochMs): Promise<BalanceSummary> {
  for (let attempt = 1; ; attempt += 1) {
    const daysAtOnce = attempt < ATTEMPTS ? OPEN_DAYS_AT_ONCE : Number.POSITIVE_INFINITY
    const { version, summary, open } = await store.read(user, (reader) => begin(reader, nowMs, daysAtOnce))
    const openDeltas = await Promise.all(
      open.map((range) =>
        store.read(user, async (reader) => {
          const same = (await reader.point()).version === version
          return same ? openDelta(reader, await readTimeline(reader), range) : undefined
        }),
      ),
    )
    const known = openDeltas.filter((delta) => delta !== undefined)
    if (known.length < openDeltas.length) continue
    const open_delta_ms = known.reduce((sum, delta) => sum + delta, summary.open_delta_ms)
    return { ...summary, open_delta_ms, projected_balance_ms: summary.balance_ms + open_delta_ms }
  }
}

/** The summary with the first of the open days; `open` are those that it leaves for further reads. */
async function begin(reader: UserReader, nowMs: EpochMs, daysAtOnce: number) {
  const timeline = await readTimeline(reader)
  const today = dateAt(timeline, nowMs)
  const weeks = await readClosedWeeks(reader, allDates)
  const closed_weeks_delta_ms = weeks.reduce((sum, week) => sum + week.delta_ms, 0)
  const adjustments = await reader.sumDeltas('balance_adjustments', dateSpan(allDates))
  const future = await reader.sumDeltas('balance_adjustments', dateSpan({ from: shifted(today, 1), to: LAST_DATE }))
  const balance_ms = closed_weeks_delta_ms + adjustments.sum
  const [first, ...open] = openRanges(timeline, new Set(weeks.map((week) => week.week)), today, daysAtOnce)
  const summary: BalanceSummary = {
    closed_weeks_delta_ms,
    adjustments_delta_ms: adjustments.sum,
    balance_ms,
    future_adjustments_delta_ms: future.sum,
    open_delta_ms: first ? await openDelta(reader, timeline, first) : 0,
    projected_balance_ms: balance_ms,
    last_closed_week: weeks.at(-1)?.week ?? null,
    as_of: instantOf(nowMs),
    time_zone: timeline.length > 0 ? zoneOn(timeline, today) : null,
    recomputing: (await recomputingRanges(reader)).map(({ from, to }) => ({ from, to: to < today ? to : today })),
  }
  return { version: (await reader.point()).version, summary, open }
}

/** The finished days of the account that lie in no closed week, as ranges of at most `most` days. */
function openRanges(timeline: Timeline, closedWeeks: ReadonlySet<string>, today: IsoDate, most: number): DateRange[] {
  const first = timeline[0]?.effective_from
  const ranges: DateRange[] = []
  if (first === undefined) return ranges
  let length = 0
  for (let from = first; from < today; ) {
    const nextMonday = addDays(mondayOf(weekOf(from)), 7)
    const to = addDays(nextMonday < today ? nextMonday : today, -1)
    const last = ranges.at(-1)
    if (!closedWeeks.has(weekOf(from))) {
      if (last && last.to === addDays(from, -1) && length + 7 <= most) last.to = to
      else {
        ranges.push({ from, to })
        length = 0
      }
      length += 7
    }
    from = nextMonday
  }
  return ranges
}

async function openDelta(reader: UserReader, timeline: Timeline<Settings>, range: DateRange): Promise<number> {
  const closedByDate = new Map((await readClosedDays(reader, range)).map((day) => [day.date, day.delta_ms]))
  const byDate = entriesByDate(await readEntries(reader, timeline, range), timeline, range)
  let sum = 0
  for (const date of datesIn(range)) {
    sum += closedByDate.get(date) ?? closeDay(byDate.get(date) ?? [], timeline, date).delta_ms
  }
  return sum
}
