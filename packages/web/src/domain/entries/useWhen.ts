import { isTimedRecord } from '@saldo/client/entries'
import { type Entry, epochMs, isGrant, type ZoneName } from '@saldo/core'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useSizeText } from './useSizeText.ts'

/** Returns a function for the texts of an entry's times and duration. */
export function useWhen(): (record: Entry, zone: ZoneName) => { times: string; length: string } {
  const { t } = useTranslation()
  const format = useFormat()
  const { sizeText } = useSizeText()
  return useCallback(
    (record, zone) => {
      if (isGrant(record))
        return { times: t('entries.grantedDays', { count: record.days, days: format.signed(record.days) }), length: '' }
      if (!isTimedRecord(record)) return { times: sizeText(record), length: '' }
      const startMs = epochMs(record.started_at)
      const start = format.time(startMs, zone)
      if (record.ended_at === null) return { times: `${start} – ${t('entries.now')}`, length: '' }
      const endMs = epochMs(record.ended_at)
      return { times: `${start} – ${format.time(endMs, zone)}`, length: format.duration(endMs - startMs) }
    },
    [t, format, sizeText],
  )
}
