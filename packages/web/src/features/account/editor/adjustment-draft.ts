import { type Adjustment, type AdjustmentContent, adjustmentKinds, type LocalDate } from '@saldo/core'

export type AdjustmentKind = (typeof adjustmentKinds)[number]

/** An adjustment as the editor's fields hold it. */
export interface AdjustmentDraft {
  kind: AdjustmentKind
  /** Whether it takes from the balance. */
  takes: boolean
  amountMs: number
  date: LocalDate
  reason: string
}

export type AdjustmentProblem = 'amount' | 'reason' | 'date'

export const kindChoices: readonly AdjustmentKind[] = adjustmentKinds

/** What is paid out or has expired is gone; the others give as often as they take. */
export function usuallyTakes(kind: AdjustmentKind): boolean {
  return kind === 'payout' || kind === 'expiry'
}

export function draftOfAdjustment(record: Adjustment | undefined, today: LocalDate): AdjustmentDraft {
  if (!record) return { kind: 'payout', takes: true, amountMs: 0, date: today, reason: '' }
  const { kind, delta_ms, effective_date: date, reason } = record
  return { kind, takes: delta_ms < 0, amountMs: Math.abs(delta_ms), date, reason }
}

function deltaOf({ takes, amountMs }: AdjustmentDraft): number {
  return takes && amountMs !== 0 ? -amountMs : amountMs
}

export function contentOfAdjustment(
  draft: AdjustmentDraft,
): { ok: true; content: AdjustmentContent } | { ok: false; problem: AdjustmentProblem } {
  const reason = draft.reason.trim()
  if (draft.amountMs === 0) return { ok: false, problem: 'amount' }
  if (draft.date === '') return { ok: false, problem: 'date' }
  if (reason === '') return { ok: false, problem: 'reason' }
  const content = { effective_date: draft.date, delta_ms: deltaOf(draft), kind: draft.kind, reason }
  return { ok: true, content }
}

/** What the balance becomes: today's, and with all that lies ahead up to the adjustment's date. */
export interface BalanceAfter {
  isAhead: boolean
  beforeMs: number
  afterMs: number
}

/**
 * The balance without and with a draft, on its date where that lies ahead, else today. `replaced` is taken out
 * first.
 */
export function balanceAfter(
  draft: AdjustmentDraft,
  replaced: Adjustment | undefined,
  now: { today: LocalDate; balanceMs: number; future: readonly { date: LocalDate; record: Adjustment }[] },
): BalanceAfter {
  const isAhead = draft.date > now.today
  const ahead = isAhead ? now.future.filter(({ date }) => date <= draft.date) : []
  const others = ahead.filter(({ record }) => record.id !== replaced?.id)
  const wasCounted = replaced && replaced.effective_date <= now.today ? replaced.delta_ms : 0
  const beforeMs = now.balanceMs - wasCounted + others.reduce((sum, { record }) => sum + record.delta_ms, 0)
  return { isAhead, beforeMs, afterMs: beforeMs + deltaOf(draft) }
}
