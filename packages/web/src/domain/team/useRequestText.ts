import { MINUTE_MS, type RequestContent } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'

type Asked = Pick<RequestContent, 'asks' | 'absence' | 'date' | 'last_date' | 'day_share' | 'amount_ms' | 'changes'>

/** Returns functions that say what a request asks for, and of which dates. */
export function useRequestText() {
  const { t } = useTranslation()
  const format = useFormat()
  const sizeOf = ({ day_share, amount_ms }: Asked) => {
    if (amount_ms !== null && amount_ms >= MINUTE_MS)
      return t('entries.size.ofHours', { time: format.duration(amount_ms) })
    return day_share === null || day_share === 1 ? '' : t('entries.size.ofDay', { share: format.percent(day_share) })
  }
  return {
    titleOf(asked: Asked): string {
      if (asked.absence === null) return t('team.request.change', { count: asked.changes?.length ?? 1 })
      const kind = t(`entries.kind.${asked.absence}`)
      return [asked.asks === 'cancel' ? t('team.request.cancel', { kind }) : kind, sizeOf(asked)]
        .filter(Boolean)
        .join(', ')
    },
    datesOf: ({ date, last_date }: Pick<Asked, 'date' | 'last_date'>): string =>
      date === last_date ? format.date(date, 'dayAndYear') : format.dateRange({ from: date, to: last_date }),
  }
}
