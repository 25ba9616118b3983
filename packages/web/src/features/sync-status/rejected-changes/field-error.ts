import type { InputError, WritableKind } from '@saldo/core'

const fieldKeys: Readonly<Record<string, string>> = {
  kind: 'sync.field.kind',
  started_at: 'sync.field.start',
  ended_at: 'sync.field.end',
  date: 'sync.field.date',
  effective_date: 'sync.field.date',
  day_share: 'sync.field.share',
  amount_ms: 'sync.field.length',
  counts: 'sync.field.counts',
  project: 'sync.field.project',
  tags: 'sync.field.tags',
  note: 'sync.field.note',
  effective_from: 'sync.field.from',
  target_ms: 'sync.field.hours',
  time_zone: 'sync.field.zone',
  break_policy: 'sync.field.breaks',
  auto_close: 'sync.field.autoClose',
  week_starts_on: 'sync.field.weekStart',
  hints: 'sync.field.hints',
  core_time: 'sync.field.coreTime',
  frame: 'sync.field.frame',
  vacation: 'sync.field.vacation',
  limits: 'sync.field.limits',
  days: 'sync.field.days',
  holidays: 'sync.field.holidays',
  delta_ms: 'sync.field.amount',
  reason: 'sync.field.reason',
}

/** Returns the keys of the message for a wrong field, and of the field's name; `undefined` where the app has none. */
export function fieldErrorText(
  kind: WritableKind,
  { pointer }: InputError,
): { key: string; field?: string } | undefined {
  // In a push, the pointer begins at the change and not at its record.
  const name = pointer.replace(/^\/record(?=\/)/, '').split('/')[1] ?? ''
  if (kind === 'balance_adjustments' && name === 'delta_ms') return { key: 'sync.rejected.beyondBalance' }
  const field = fieldKeys[name]
  return field === undefined ? undefined : { key: 'sync.rejected.invalidField', field }
}
