import * as v from 'valibot'
import { anyRecord } from './record-fields.ts'
import { recordKinds } from './record-kinds.ts'
import { DateText, InstantText, SignedMs, Uuid, WeekText, wholeNumber, Zone } from './validation.ts'

const closedBy = v.picklist(['auto', 'user', 'recompute'])
/** The schemas of the closed-period figures of a day or week. */
export const figureSchemas = {
  target_ms: SignedMs,
  worked_ms: v.pipe(SignedMs, v.metadata({ description: 'Time covered by work and not by a break.' })),
  break_ms: v.pipe(SignedMs, v.metadata({ description: 'Time covered by recorded breaks.' })),
  deducted_break_ms: v.pipe(SignedMs, v.metadata({ description: 'Break time deducted by the break policy.' })),
  credited_ms: SignedMs,
  delta_ms: v.pipe(SignedMs, v.metadata({ description: 'worked − deducted break + credited − target.' })),
}
const closingFields = {
  closed_at: InstantText,
  closed_by: v.pipe(closedBy, v.metadata({ description: 'What stored the figures.' })),
  first_closed_by: v.optional(v.pipe(closedBy, v.metadata({ description: 'What closed it at `closed_at`.' }))),
  revision: wholeNumber(1, Number.MAX_SAFE_INTEGER),
}

/** A closed day: its figures when it was closed or last recomputed. */
export const ClosedDay = v.looseObject({
  ...anyRecord,
  date: DateText,
  time_zone: Zone,
  ...figureSchemas,
  settings_id: v.nullable(Uuid),
  ...closingFields,
})

const Cause = v.looseObject({
  kind: v.picklist(recordKinds),
  id: Uuid,
  op: v.picklist(['upsert', 'delete', 'close', 'holidays']),
  date: DateText,
})

const Revision = v.looseObject({
  revision: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  at: InstantText,
  delta_ms: SignedMs,
  cause: Cause,
})

/** A closed week: its figures, and the latest recomputations with their causes. */
export const ClosedWeek = v.looseObject({
  ...anyRecord,
  week: WeekText,
  start_date: DateText,
  end_date: DateText,
  ...figureSchemas,
  ...closingFields,
  previous_delta_ms: v.nullable(SignedMs),
  revisions: v.array(Revision),
})

export type ClosedDay = v.InferOutput<typeof ClosedDay>
export type ClosedWeek = v.InferOutput<typeof ClosedWeek>
/** The change for which a closed week was recomputed, and the date of the week that it affected. */
export type Cause = v.InferOutput<typeof Cause>
