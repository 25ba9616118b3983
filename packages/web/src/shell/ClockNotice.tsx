import { useSyncStatus } from '@saldo/client/react'
import { MINUTE_MS } from '@saldo/core'
import { useLayoutEffect } from 'react'
import { correctClock, correctionFor, saidOffsetMs, useNow } from '../context/clock.ts'
import { useFormat } from '../context/FormatProvider.tsx'
import { useTranslation } from '../i18n/translation.ts'
import { Notice } from '../ui/Notice.tsx'

/** Corrects the clock of the app by that of the service, and names one that is wrong. */
export function ClockNotice() {
  const { t } = useTranslation()
  const format = useFormat()
  const nowMs = useNow(MINUTE_MS)
  const offsetMs = useSyncStatus()?.clockOffsetMs ?? 0
  useLayoutEffect(() => correctClock(offsetMs), [offsetMs])
  if (correctionFor(offsetMs) === 0) return null
  return (
    <Notice>
      {t(offsetMs < 0 ? 'app.clock.fast' : 'app.clock.slow', {
        age: format.age(saidOffsetMs(offsetMs)),
        now: format.dateTime(nowMs),
      })}
    </Notice>
  )
}
