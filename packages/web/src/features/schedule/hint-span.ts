import type { SettingsContent } from '@saldo/core'

/** Core time or frame while it is typed: a time that is missing is empty. Null for none. */
export type Span = SettingsContent['frame']

/** Returns the span of two typed times; null if both are empty. */
export function spanOf(times: NonNullable<Span>): Span {
  return times.from === '' && times.to === '' ? null : times
}

/** True if a span has both times, the later one at its end; true for none. */
export function isFilledSpan(span: Span): boolean {
  return span === null || (span.from !== '' && span.from < span.to)
}
