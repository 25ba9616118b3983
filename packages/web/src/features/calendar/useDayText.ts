import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import type { AbsenceRecord } from '../../domain/entries/parts.ts'
import type { CalendarDay } from './calendar-days.ts'

/** Returns functions that describe a day or an absence, for screen readers and tooltips. */
export function useDayText() {
  const { t } = useTranslation()
  const format = useFormat()
  const absenceText = ({ kind, day_share, note }: AbsenceRecord) => {
    const name = note === '' ? t(`entries.kind.${kind}`) : `${t(`entries.kind.${kind}`)} (${note})`
    return day_share === 1 ? name : t('calendar.shareOf', { what: name, share: format.percent(day_share) })
  }
  const dayText = ({ date, workedMs, absences }: CalendarDay) => {
    const worked = workedMs > 0 ? [t('calendar.worked', { time: format.duration(workedMs) })] : []
    return [format.date(date, 'day'), ...absences.map(({ record }) => absenceText(record)), ...worked].join(', ')
  }
  return { dayText, absenceText }
}
