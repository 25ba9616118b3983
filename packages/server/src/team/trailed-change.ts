import { type BreakPolicy, type Change, jsonEqual, type RecordState, type WritableKind } from '@saldo/core'
import { knownBreakPolicy } from '../store/records/break-policy.ts'
import { figureFieldsOf } from './figure-fields.ts'

/** The fields of an entry that a trail has, of those with times and figures. */
const trailedOfEntries = ['kind', 'started_at', 'ended_at', 'date', 'day_share', 'amount_ms', 'days', 'counts']

/** Returns the names of the fields that a trail has of a record: no text of its user (D29.3). */
function trailedNames(kind: WritableKind, fields: Record<string, unknown>): readonly string[] {
  switch (kind) {
    case 'entries':
      return figureFieldsOf(fields).filter((name) => trailedOfEntries.includes(name))
    case 'balance_adjustments':
      return ['kind', 'effective_date', 'delta_ms']
    case 'settings_history':
      return ['effective_from', 'time_zone', 'target_ms', 'break_policy']
  }
}

/** Returns times and figures of a change before and after, and of its texts only whether they changed (D29.3). */
export function trailedChange(
  { kind, id, content }: Pick<Change, 'kind' | 'id' | 'content'>,
  before: Pick<RecordState, 'content'> | undefined,
): Record<string, unknown> {
  const partOf = (fields: Record<string, unknown>, isTrailed: boolean) => {
    const names = trailedNames(kind, fields)
    return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name) === isTrailed))
  }
  const figuresOf = (fields: Record<string, unknown> | null | undefined) => {
    if (!fields) return null
    const { break_policy: policy, ...figures } = partOf(fields, true)
    if (policy === undefined) return figures
    return { ...figures, break_policy: policy && knownBreakPolicy(policy as BreakPolicy) }
  }
  const textsOf = (fields: Record<string, unknown> | null | undefined) => partOf(fields ?? {}, false)
  return {
    record: kind,
    id,
    before: figuresOf(before?.content),
    after: figuresOf(content),
    texts_changed: Boolean(before?.content && content && !jsonEqual(textsOf(before.content), textsOf(content))),
  }
}
