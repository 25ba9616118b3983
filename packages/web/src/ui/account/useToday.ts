import { dateAt, type IsoDate } from '@saldo/core'
import { MINUTE_MS, useNow } from '../../app/now.tsx'
import { useTimeline } from './TimelineProvider.tsx'

/** The account's date of now. */
export function useToday(): IsoDate {
  const { timeline } = useTimeline()
  return dateAt(timeline, useNow(MINUTE_MS))
}
