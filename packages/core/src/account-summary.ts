/** The account as the service hands it out: the balance, and the figures of days. */
import * as v from 'valibot'
import { figureSchemas } from './closing.ts'
import { DateText, InstantText, SignedMs, Uuid, WeekText, Zone } from './validation.ts'
import { warningCodes } from './warnings.ts'

/** The balance (R1.4, R2.7): `balance_ms` is the sum of the deltas of closed weeks and of adjustments. */
export const BalanceSummary = v.object({
  closed_weeks_delta_ms: SignedMs,
  adjustments_delta_ms: SignedMs,
  balance_ms: SignedMs,
  future_adjustments_delta_ms: SignedMs,
  open_delta_ms: SignedMs,
  projected_balance_ms: SignedMs,
  last_closed_week: v.nullable(WeekText),
  as_of: InstantText,
  time_zone: v.nullable(Zone),
  recomputing: v.array(v.object({ from: DateText, to: DateText })),
})
export type BalanceSummary = v.InferOutput<typeof BalanceSummary>

/** Today so far: its figures as if running entries ended now (D3.64). */
export const AccountToday = v.object({
  date: DateText,
  time_zone: Zone,
  as_of: InstantText,
  running: v.pipe(
    v.nullable(v.picklist(['work', 'break'])),
    v.metadata({ description: 'A break counts before work that it interrupts.' }),
  ),
  running_since: v.nullable(InstantText),
  ...figureSchemas,
})
export type AccountToday = v.InferOutput<typeof AccountToday>

/** A day of the account: the figures of a closed day, or those computed for an open day, with its warnings. */
export const AccountDay = v.object({
  date: DateText,
  state: v.picklist(['closed', 'open', 'outside']),
  ended: v.boolean(),
  time_zone: Zone,
  ...figureSchemas,
  settings_id: v.nullable(Uuid),
  warnings: v.array(v.object({ code: v.picklist(warningCodes), entry_ids: v.array(Uuid) })),
})
export type AccountDay = v.InferOutput<typeof AccountDay>
