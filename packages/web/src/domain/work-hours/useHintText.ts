import { type DayHint, HOUR_MS, type WeekHint } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'

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
