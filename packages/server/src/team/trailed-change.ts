import { type Change, jsonEqual, type RecordState, type WritableKind } from '@saldo/core'
import { figuresOf } from './shown-fields.ts'

/** The figures that a trail has of those that others see: of settings, planned time and breaks alone. */
const trailedFields = {
  entries: ['kind', 'started_at', 'ended_at', 'date', 'day_share', 'amount_ms', 'days', 'counts'],
  balance_adjustments: ['kind', 'effective_date', 'delta_ms'],
  settings_history: ['effective_from', 'time_zone', 'target_ms', 'break_policy'],
} as const satisfies Record<WritableKind, readonly string[]>

/** Returns times and figures of a change before and after, and of its texts only whether they changed (D29.3). */
export function trailedChange(
  { kind, id, content }: Pick<Change, 'kind' | 'id' | 'content'>,
  before: Pick<RecordState, 'content'> | undefined,
): Record<string, unknown> {
  const names: readonly string[] = trailedFields[kind]
  const trailed = (fields: RecordState['content'] | undefined) =>
    fields ? Object.fromEntries(Object.entries(figuresOf(kind, fields)).filter(([name]) => names.includes(name))) : null
  const [figuresBefore, figuresAfter] = [trailed(before?.content), trailed(content)]
  const others = (fields: RecordState['content'] | undefined, figures: object | null) =>
    Object.fromEntries(Object.entries(fields ?? {}).filter(([name]) => !(figures && name in figures)))
  return {
    record: kind,
    id,
    before: figuresBefore,
    after: figuresAfter,
    texts_changed: Boolean(
      before?.content && content && !jsonEqual(others(before.content, figuresBefore), others(content, figuresAfter)),
    ),
  }
}
