import type { AbsenceRecord } from '@saldo/client/entries'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useSizeText } from '../../domain/entries/entry-texts.ts'
import { useTranslation } from '../../i18n/translation.ts'
import type { CalendarDay } from './calendar-days.ts'

/** Returns functions that describe a day or an absence, for screen readers and tooltips. */
export function useDayText() {
  const { t } = useTranslation()
  const format = useFormat()
  const { partText, sizeText } = useSizeText()
  const absenceText = (absence: AbsenceRecord) => {
    const { kind, note } = absence
    const name = note === '' ? t(`entries.kind.${kind}`) : `${t(`entries.kind.${kind}`)} (${note})`
    return partText(absence) === undefined ? name : `${name}, ${sizeText(absence)}`
  }
  const dayText = ({ date, workedMs, absences }: CalendarDay) => {
    const worked = workedMs > 0 ? [t('calendar.worked', { time: format.duration(workedMs) })] : []
    return [format.date(date, 'day'), ...absences.map(({ record }) => absenceText(record)), ...worked].join(', ')
  }
  return { dayText, absenceText }
}
