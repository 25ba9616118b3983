import {
  allDates,
  buildTimeline,
  type ClosedDelta,
  dateAt,
  type EpochMs,
  type ExpiryProposal,
  expiryProposals,
  periodEnds,
  type UserNumber,
  weekOf,
} from '@saldo/core'
import type { UserReader } from '../store/store.ts'
import { readAdjustments, readClosedDays, readClosedWeeks, readSettings } from './account-reads.ts'

/** Returns what may expire at the ends of periods, and what the user decided about it (D18.9). */
export async function accountProposals(
  reader: UserReader,
  user: UserNumber,
  nowMs: EpochMs,
): Promise<ExpiryProposal[]> {
  const timeline = buildTimeline(await readSettings(reader))
  if (timeline.every(({ limits }) => !limits)) return []
  const weeks = await readClosedWeeks(reader, allDates)
  const ends = periodEnds(timeline, new Set(weeks.map(({ week }) => week)), dateAt(timeline, nowMs))
  if (ends.length === 0) return []
  const weeksOfEnds = new Set(ends.map(({ period_end }) => weekOf(period_end)))
  const closed: ClosedDelta[] = []
  for (const { week, start_date, end_date: date, delta_ms } of weeks) {
    if (weeksOfEnds.has(week)) {
      closed.push(...(await readClosedDays(reader, { from: start_date, to: date })))
    } else closed.push({ date, delta_ms })
  }
  return expiryProposals(user, ends, closed, await readAdjustments(reader))
}
