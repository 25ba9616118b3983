import type { DurationMs } from '@saldo/core'
import type { ShownPreview } from './import-work.ts'

/** Facts about an import that its figures do not say. */
export interface PreviewFacts {
  /** The number of records that would be added. */
  recordCount: number
  /** The time of the entries that counts: each moment once, and not where there is work already. */
  countedMs: DurationMs
  /** True if there are entries before the account begins, or without one. */
  isBeforeAccount: boolean
  /** The number of closed weeks that change. */
  closedCount: number
}

type Figures = 'entries' | 'settings' | 'adjustments' | 'covered_ms' | 'overlapping_ms' | 'first' | 'account_from'

export function factsOf(
  preview: Pick<ShownPreview, Figures> & { weeks: readonly { isClosed: boolean }[] },
): PreviewFacts {
  const { entries, settings, adjustments, covered_ms, overlapping_ms, first, account_from, weeks } = preview
  return {
    recordCount: entries + settings + adjustments,
    countedMs: covered_ms - overlapping_ms,
    isBeforeAccount: first !== null && (account_from === null || first < account_from),
    closedCount: weeks.filter(({ isClosed }) => isClosed).length,
  }
}
