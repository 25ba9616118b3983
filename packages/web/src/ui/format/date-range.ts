import { type DateRange, utcMidnight } from '@saldo/core'

/** `16 – 22 Nov 2026`: what both ends share is said once, in the locale's way. */
export function formatDateRange(locale: string, { from, to }: DateRange): string {
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
  return format.formatRange(utcMidnight(from), utcMidnight(to))
}
