/** The kinds of record that clients create and change (R1.2). */
export const writableKinds = ['entries', 'settings_history', 'balance_adjustments'] as const
/** All kinds of record (R1.1). */
export const recordKinds = [
  'entries',
  'closed_days',
  'closed_weeks',
  'balance_adjustments',
  'settings_history',
] as const

/** A kind of record that clients create and change (R1.2). */
export type WritableKind = (typeof writableKinds)[number]
/** One of `recordKinds`. */
export type RecordKind = (typeof recordKinds)[number]

/** True for the kinds that clients create and change (R1.2). */
export function isWritableKind(kind: unknown): kind is WritableKind {
  return writableKinds.some((each) => each === kind)
}

/** True for the kinds of records. */
export function isRecordKind(kind: unknown): kind is RecordKind {
  return recordKinds.some((each) => each === kind)
}
