import * as v from 'valibot'
import { writableRecord } from './record-fields.ts'
import { DateText, SignedMs, textBetween } from './validation.ts'
import type { DurationMs } from './values.ts'

/** The kinds of balance adjustments (D2.21). */
export const adjustmentKinds = ['opening', 'payout', 'correction', 'expiry', 'transfer', 'other'] as const

const adjustment = {
  effective_date: DateText,
  delta_ms: SignedMs,
  kind: v.picklist(adjustmentKinds, `must be one of ${adjustmentKinds.join(', ')}`),
  reason: textBetween(1, 500),
}

/** True unless an adjustment changes nothing. An expiry of 0 is a proposal that the user declined (D18.6). */
function hasEffect({ delta_ms, kind }: { delta_ms: DurationMs; kind: (typeof adjustmentKinds)[number] }): boolean {
  return delta_ms !== 0 || kind === 'expiry'
}
const effectMessage = 'must not be 0'

/** The content of a balance adjustment (D2.21). Unknown fields stay. */
export const AdjustmentContent = v.pipe(
  v.looseObject(adjustment),
  v.forward(
    v.check((input) => hasEffect(input), effectMessage),
    ['delta_ms'],
  ),
)

/** A balance adjustment (D2.21). */
export const Adjustment = v.pipe(
  v.looseObject({ ...writableRecord, ...adjustment }),
  v.forward(
    v.check((input) => hasEffect(input), effectMessage),
    ['delta_ms'],
  ),
)

export type AdjustmentContent = v.InferOutput<typeof AdjustmentContent>
export type Adjustment = v.InferOutput<typeof Adjustment>
