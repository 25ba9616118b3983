import type { InputError, WritableKind } from '@saldo/core'

/** Keys of what is wrong with a field, and of the field's name where the words ask for it. */
export interface FieldError {
  key: string
  field?: string
}

const fields: Readonly<Record<string, string>> = {
  kind: 'sync.fact.kind',
  started_at: 'sync.fact.start',
  ended_at: 'sync.fact.end',
  date: 'sync.fact.date',
  effective_date: 'sync.fact.date',
  day_share: 'sync.fact.share',
  project: 'sync.fact.project',
  tags: 'sync.fact.tags',
  note: 'sync.fact.note',
  effective_from: 'sync.fact.from',
  target_ms: 'sync.fact.hours',
  time_zone: 'sync.fact.zone',
  break_policy: 'sync.fact.breaks',
  auto_close: 'sync.fact.autoClose',
  delta_ms: 'sync.fact.amount',
  reason: 'sync.fact.reason',
}

/** What a fault says in the app's words; `undefined` where only the service's own say it. */
export function fieldErrorOf(kind: WritableKind, { pointer }: InputError): FieldError | undefined {
  // In a push, what is pointed into is the change.
  const name = pointer.replace(/^\/record(?=\/)/, '').split('/')[1] ?? ''
  if (kind === 'balance_adjustments' && name === 'delta_ms') return { key: 'sync.refused.beyondBalance' }
  const field = fields[name]
  return field === undefined ? undefined : { key: 'sync.refused.fault', field }
}
