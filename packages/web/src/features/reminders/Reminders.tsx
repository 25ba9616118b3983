import { timerState } from '@saldo/client/entries'
import { useEntries, useSaldo } from '@saldo/client/react'
import { isTimed, MINUTE_MS } from '@saldo/core'
import { useEffect } from 'react'
import { useNow } from '../../context/clock.ts'
import { canNotify, usePreferences } from '../../context/preferences.ts'
import { useToday } from '../../domain/account/TimelineProvider.tsx'
import { daysBackFrom } from '../../domain/date-ranges.ts'
import { type Day, useDay } from '../../domain/entries/useDay.ts'
import { useForgottenTimer } from '../../domain/entries/useDayTimer.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { DAYS_BACK, dueReminders, isNewReminder, notify } from './reminders-model.ts'

/** Reminds of breaks and more while the app runs, and marks its icon while the timer does. */
export function Reminders() {
  const { reminders } = usePreferences()
  const day = useDay(useToday())
  return (
    day && (
      <>
        <Badge day={day} />
        {reminders.length > 0 && <Reminding day={day} />}
      </>
    )
  )
}

function Badge({ day }: { day: Day }) {
  const isRunning = timerState(day.entries.filter(isTimed)).kind !== 'idle'
  useEffect(() => {
    // Not every browser has badges, and they need no answer.
    if (isRunning) void navigator.setAppBadge?.()
    else void navigator.clearAppBadge?.()
  }, [isRunning])
  return null
}

function Reminding({ day }: { day: Day }) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const { reminders } = usePreferences()
  const nowMs = useNow(MINUTE_MS)
  const { today, timeline } = day
  const forgotten = useForgottenTimer(day, nowMs)
  const rows = useEntries(daysBackFrom(today, DAYS_BACK))
  useEffect(() => {
    if (!rows || !canNotify()) return
    const entries = rows.map(({ record }) => record)
    for (const { kind, key } of dueReminders({ entries, timeline, today, forgotten }, nowMs)) {
      if (!reminders.includes(kind) || !isNewReminder(saldo.user, key)) continue
      void notify(t(`reminders.${kind}.title`), t(`reminders.${kind}.body`), key)
    }
  }, [rows, timeline, today, forgotten, nowMs, reminders, saldo, t])
  return null
}
