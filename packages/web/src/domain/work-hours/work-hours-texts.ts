import { type DayHint, HOUR_MS, type LocalDate, rotationWeek, settingsOn, type WeekHint } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { useTimeline } from '../account/TimelineProvider.tsx'

/** Returns a function that says a hint in words. */
export function useHintText(): (hint: DayHint | WeekHint) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return (hint) => {
    if ('code' in hint) return t(`workHours.hint.${hint.code}`, { time: format.duration(hint.amountMs) })
    return t('workHours.hint.long_week', {
      time: format.duration(hint.averageMs),
      count: hint.weeks,
      limit: format.number(hint.limitMs / HOUR_MS),
    })
  }
}

/** Returns the week of the rotation that a date lies in, in words; `undefined` where each week is planned alike. */
export function useRotationText(date: LocalDate): string | undefined {
  const { t } = useTranslation()
  const { timeline } = useTimeline()
  const row = settingsOn(timeline, date)
  if (!row || row.target_ms.length === 7) return undefined
  return t('workHours.rotation.ofRotation', {
    number: rotationWeek(row, date) + 1,
    count: row.target_ms.length / 7,
  })
}
