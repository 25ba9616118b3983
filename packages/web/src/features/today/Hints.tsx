import { stoppedAt } from '@saldo/client/entries'
import { dayHints, MINUTE_MS } from '@saldo/core'
import { useMemo } from 'react'
import { useNow } from '../../context/clock.ts'
import type { Day } from '../../domain/entries/useDay.ts'
import { useHintText } from '../../domain/work-hours/useHintText.ts'
import { Notice } from '../../ui/Notice.tsx'

/** The hints of a day. Running work counts up to now; core time can be missed only once the day is over. */
export function Hints({ day }: { day: Day }) {
  const textOf = useHintText()
  const nowMs = useNow(MINUTE_MS)
  const { entries, timeline, date, today } = day
  const hints = useMemo(
    () =>
      dayHints(stoppedAt(entries, nowMs), timeline, date).filter(
        ({ code }) => date < today || code !== 'core_time_missed',
      ),
    [entries, timeline, date, today, nowMs],
  )
  if (hints.length === 0) return null
  return (
    <Notice>
      {hints.map((hint) => (
        <div key={hint.code}>{textOf(hint)}</div>
      ))}
    </Notice>
  )
}
