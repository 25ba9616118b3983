import { type AccountEvent, type EpochMs, instantOf, type Month, type UserNumber } from '@saldo/core'
import type { UserWriter } from '../store/store.ts'

/** The rows at the end of a trail among which a look of the same hour is searched. */
const SEARCHED_ROWS = 200

/** Notes that somebody looked at days or sheets of another: one row for viewer, owner, month and hour (D29.5). */
export async function noteLook(
  writer: UserWriter,
  { viewer, kind, month }: { viewer: UserNumber; kind: AccountEvent; month: Month | null },
  nowMs: EpochMs,
): Promise<void> {
  const hour = instantOf(nowMs).slice(0, 13)
  const { number } = await writer.trailHead()
  const last = await writer.trailRows(Math.max(0, number - SEARCHED_ROWS), SEARCHED_ROWS)
  const isNoted = last.some((row) => {
    return row.actor === viewer && row.kind === kind && row.at.startsWith(hour) && (row.data.month ?? null) === month
  })
  if (!isNoted) await writer.addTrail([{ actor: viewer, kind, data: month === null ? {} : { month } }])
}
