import { type LocalDate, rotationWeek, settingsOn } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useTimeline } from '../account/TimelineProvider.tsx'

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
