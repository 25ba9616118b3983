import type { Adjustment, AdjustmentContent, DurationMs, LocalDate } from '@saldo/core'

export type AdjustmentKind = AdjustmentContent['kind']

/** The fields of the editor. */
export interface AdjustmentForm {
  kind: AdjustmentKind
  isDeduction: boolean
  /** The amount without its sign. */
  amountMs: DurationMs
  /** Empty while the field is. */
  date: LocalDate | ''
  reason: string
}

export type AdjustmentProblem = 'amount' | 'reason' | 'date'

/** Returns the changes of another kind. A payout and an expiry only make sense as deductions. */
export function withKind(kind: AdjustmentKind): Partial<AdjustmentForm> {
  return kind === 'payout' || kind === 'expiry' ? { kind, isDeduction: true } : { kind }
}

export function adjustmentFormOf(record: Adjustment | undefined, today: LocalDate): AdjustmentForm {
  if (!record) return { kind: 'payout', isDeduction: true, amountMs: 0, date: today, reason: '' }
  const { kind, delta_ms, effective_date: date, reason } = record
  return { kind, isDeduction: delta_ms < 0, amountMs: Math.abs(delta_ms), date, reason }
}

function deltaOf({ isDeduction, amountMs }: AdjustmentForm): DurationMs {
  return isDeduction && amountMs !== 0 ? -amountMs : amountMs
}

/** Returns the content of a form. `replaced` may be an expiry of 0, which records a declined proposal. */
export function contentOfAdjustment(
  form: AdjustmentForm,
  replaced?: Adjustment,
): { ok: true; content: AdjustmentContent } | { ok: false; problem: AdjustmentProblem } {
  const reason = form.reason.trim()
  const staysDeclined = replaced?.delta_ms === 0 && form.kind === 'expiry'
  if (form.amountMs === 0 && !staysDeclined) return { ok: false, problem: 'amount' }
  if (form.date === '') return { ok: false, problem: 'date' }
  if (reason === '') return { ok: false, problem: 'reason' }
  const content = { effective_date: form.date, delta_ms: deltaOf(form), kind: form.kind, reason }
  return { ok: true, content }
}

/** The balance without and with an adjustment. */
export interface BalanceAfter {
  /** True if it is the balance of a future date. */
  isAhead: boolean
  beforeMs: DurationMs
  afterMs: DurationMs
}

/** Returns the balance on the date of a form, or today's if that is later. `replaced` counts in neither. */
export function balanceAfter(
  form: AdjustmentForm,
  replaced: Adjustment | undefined,
  now: { today: LocalDate; balanceMs: DurationMs; future: readonly { date: LocalDate; record: Adjustment }[] },
): BalanceAfter {
  const isAhead = form.date > now.today
  const ahead = now.future.filter(({ date, record }) => isAhead && date <= form.date && record.id !== replaced?.id)
  const replacedMs = replaced && replaced.effective_date <= now.today ? replaced.delta_ms : 0
  const beforeMs = now.balanceMs - replacedMs + ahead.reduce((sum, { record }) => sum + record.delta_ms, 0)
  return { isAhead, beforeMs, afterMs: beforeMs + deltaOf(form) }
}
