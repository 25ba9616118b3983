import { dateAt, type LocalDate, MINUTE_MS } from '@saldo/core'
import { useNow } from '../../context/clock.ts'
import { useTimeline } from './TimelineProvider.tsx'

/** The account's date of now. */
export function useToday(): LocalDate {
  const { timeline } = useTimeline()
  return dateAt(timeline, useNow(MINUTE_MS))
}
