import { type Cause, type ClosedWeek, type EpochMs, epochMs } from '@saldo/core'

/** That a closed week came to other figures. */
export interface Recomputation {
  revision: number
  atMs: EpochMs
  /** The change of the week's delta. */
  changeMs: number
  cause: Cause
}

/** Returns the oldest delta kept of a closed week and each change after it, the oldest first. */
export function historyOf({ revisions, delta_ms }: Pick<ClosedWeek, 'revisions' | 'delta_ms'>): {
  firstMs: number
  recomputations: Recomputation[]
} {
  const recomputations = revisions.slice(1).map(({ revision, at, delta_ms: becameMs, cause }, index) => ({
    revision,
    atMs: epochMs(at),
    changeMs: becameMs - (revisions[index]?.delta_ms ?? 0),
    cause,
  }))
  return { firstMs: revisions[0]?.delta_ms ?? delta_ms, recomputations }
}

/** The key of a string that says in words why a week changed. */
export function causeKey({ kind, op }: Cause): string {
  if (op === 'close') return kind === 'closed_days' ? 'recomputation.dayClosed' : 'recomputation.closedAgain'
  if (op === 'holidays') return 'recomputation.holiday'
  return kind === 'settings_history' ? `recomputation.settings.${op}` : `recomputation.entry.${op}`
}
