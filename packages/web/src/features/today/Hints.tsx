import { MINUTE_MS } from '@saldo/core'
import { useMemo } from 'react'
import { useNow } from '../../context/clock.ts'
import type { Day } from '../../domain/entries/useDay.ts'
import { useHintText } from '../../domain/work-hours/useHintText.ts'
import { Notice } from '../../ui/Notice.tsx'
import { shownHints } from './today-model.ts'

/** The hints of a day. */
export function Hints({ day }: { day: Day }) {
  const textOf = useHintText()
  const nowMs = useNow(MINUTE_MS)
  const hints = useMemo(() => shownHints(day, nowMs), [day, nowMs])
  if (hints.length === 0) return null
  return (
    <Notice>
      {hints.map((hint) => (
        <div key={hint.code}>{textOf(hint)}</div>
      ))}
    </Notice>
  )
}
