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
  entry_type: v.pipe(
    v.nullable(v.picklist(['timed', 'absence', 'public_holiday'])),
    v.metadata({ description: 'Of entries: work and breaks, public holidays, or other absences.' }),
  ),
  op: v.pipe(
    v.picklist(['create', 'import', 'update', 'delete', 'restore', 'close']),
    v.metadata({ description: 'An import creates entries with an `import_ref`; what is restored was deleted before.' }),
  ),
  count: v.pipe(
    wholeNumber(1, Number.MAX_SAFE_INTEGER),
    v.metadata({ description: 'How many changes of records they are.' }),
  ),
  id: v.pipe(Uuid, v.metadata({ description: 'The record of the last of them.' })),
  from: v.pipe(DateText, v.metadata({ description: 'The first date that they affect.' })),
  to: DateText,
})

const Revision = v.looseObject({
  revision: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  at: InstantText,
  delta_ms: SignedMs,
  causes: v.array(Cause),
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
/** Changes of one sort for which a closed week was recomputed: how many, and the dates that they affect (D3.31). */
export type Cause = v.InferOutput<typeof Cause>
