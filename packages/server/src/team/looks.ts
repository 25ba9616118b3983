import { type AccountEvent, type EpochMs, instantOf, type Month, type UserNumber } from '@saldo/core'
import type { UserWriter } from '../store/store.ts'

/** The rows of a trail that are read at once to find a look of the same hour. */
const ROWS_AT_ONCE = 200

/** Notes that somebody looked at days or sheets of another: one row for viewer, owner, month and hour (D29.5). */
export async function noteLook(
  writer: UserWriter,
  { viewer, company, kind, month }: { viewer: UserNumber; company: number; kind: AccountEvent; month: Month | null },
  nowMs: EpochMs,
): Promise<void> {
  const hour = instantOf(nowMs).slice(0, 13)
  for (let last = (await writer.trailHead()).number; last > 0; last -= ROWS_AT_ONCE) {
    const rows = await writer.trailRows(Math.max(0, last - ROWS_AT_ONCE), ROWS_AT_ONCE)
    const isNoted = rows.some((row) => {
      return row.actor === viewer && row.kind === kind && row.at.startsWith(hour) && (row.data.month ?? null) === month
    })
    if (isNoted) return
    if (!rows[0]?.at.startsWith(hour)) break
  }
  await writer.addTrail(company, [{ actor: viewer, kind, data: month === null ? {} : { month } }])
}
