import {
  allDates,
  buildTimeline,
  type ClosedDelta,
  type DurationMs,
  dateAt,
  type EpochMs,
  type ExpiryProposal,
  expiryId,
  expiryProposals,
  itemAt,
  type LocalDate,
  type PeriodEnd,
  periodEnds,
  type RecordId,
  type UserNumber,
  weekOf,
} from '@saldo/core'
import type { UserReader } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import { readClosedDays, readSettings, readWeekDeltas } from './account-reads.ts'

/** Returns what may expire at the ends of periods, and what the user decided about it (D18.9). */
export async function accountProposals(
  reader: UserReader,
  user: UserNumber,
  nowMs: EpochMs,
): Promise<ExpiryProposal[]> {
  const timeline = buildTimeline(await readSettings(reader))
  if (timeline.every(({ limits }) => !limits)) return []
  const weeks = await readWeekDeltas(reader)
  const ends = periodEnds(timeline, new Set(weeks.map(({ week }) => week)), dateAt(timeline, nowMs))
  if (ends.length === 0) return []
  const weeksOfEnds = new Set(ends.map(({ period_end }) => weekOf(period_end)))
  const closed: ClosedDelta[] = []
  for (const { week, from, to, delta_ms } of weeks) {
    if (weeksOfEnds.has(week)) closed.push(...(await readClosedDays(reader, { from, to })))
    else closed.push({ date: to, delta_ms })
  }
  const { decisions, sums } = await adjustmentsOf(reader, user, ends)
  return expiryProposals(user, ends, [...closed, ...sums], decisions)
}

/** Returns the decisions about ends of periods, and of each period the sum of all its other adjustments. */
async function adjustmentsOf(reader: UserReader, user: UserNumber, ends: readonly PeriodEnd[]) {
  const ids = new Set(ends.map(({ period_end }) => expiryId(user, period_end)))
  const sums = ends.map(({ period_end: date }) => ({ date, delta_ms: 0 }))
  const decisions: { id: RecordId; effective_date: LocalDate; delta_ms: DurationMs }[] = []
  let period = 0
  for await (const piece of reader.deltas('balance_adjustments', dateSpan(allDates))) {
    for (const { id, date, deltaMs } of piece) {
      while (period < sums.length && date > itemAt(sums, period).date) period += 1
      const sum = sums[period]
      if (ids.has(id)) decisions.push({ id, effective_date: date, delta_ms: deltaMs })
      else if (sum) sum.delta_ms += deltaMs
    }
  }
  return { decisions, sums }
}
