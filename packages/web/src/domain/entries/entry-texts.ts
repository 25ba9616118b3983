import { type AbsenceSize, type EntryContent, epochMs, isGrant, isTimed, type ZoneName } from '@saldo/core'
import { useCallback } from 'react'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'

/** Returns functions for the text of an absence's size. */
export function useSizeText() {
  const { t } = useTranslation()
  const format = useFormat()
  /** `50 %` or `1:30 h`; `undefined` for a whole day. */
  const partText = useCallback(
    ({ day_share, amount_ms }: AbsenceSize): string | undefined => {
      if (amount_ms !== null) return t('entries.size.ofHours', { time: format.duration(amount_ms) })
      return day_share === 1 ? undefined : format.percent(day_share)
    },
    [t, format],
  )
  /** `Whole day`, `50 % of the day` or `1:30 h`. */
  const sizeText = useCallback(
    (size: AbsenceSize): string => {
      const part = partText(size)
      if (part === undefined) return t('entries.size.whole')
      return size.amount_ms === null ? t('entries.size.ofDay', { share: part }) : part
    },
    [t, partText],
  )
  return { partText, sizeText }
}

/** Returns a function for the texts of an entry's times and duration. */
export function useWhen(): (record: EntryContent, zone: ZoneName) => { times: string; length: string } {
  const { t } = useTranslation()
  const format = useFormat()
  const { sizeText } = useSizeText()
  return useCallback(
    (record, zone) => {
      if (isGrant(record))
        return { times: t('entries.grantedDays', { count: record.days, days: format.signed(record.days) }), length: '' }
      if (!isTimed(record)) return { times: sizeText(record), length: '' }
      const startMs = epochMs(record.started_at)
      const start = format.time(startMs, zone)
      if (record.ended_at === null) return { times: `${start} – ${t('entries.now')}`, length: '' }
      const endMs = epochMs(record.ended_at)
      return { times: `${start} – ${format.time(endMs, zone)}`, length: format.duration(endMs - startMs) }
    },
    [t, format, sizeText],
  )
}
