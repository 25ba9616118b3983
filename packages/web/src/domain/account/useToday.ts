import { dateAt, type LocalDate, MINUTE_MS } from '@saldo/core'
import { useNow } from '../../context/clock.ts'
import { useTimeline } from './TimelineProvider.tsx'

/** Returns the current date in the account's time zone. */
export function useToday(): LocalDate {
  const { timeline } = useTimeline()
  return dateAt(timeline, useNow(MINUTE_MS))
}
