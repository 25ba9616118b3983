import { isWeek, type LocalDate, type ReportGroup, type ReportLine } from '@saldo/core'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'

/** Returns a function for the name of a line. */
export function useLineName(): (line: ReportLine, group: ReportGroup) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return useCallback(
    ({ key }, group) => {
      if (key === null) return t(group === 'tag' ? 'reports.noTag' : 'reports.noProject')
      switch (group) {
        case 'project':
          return key
        case 'tag':
          return `#${key}`
        case 'day':
          return format.date(key as LocalDate, 'field')
        case 'week':
          return isWeek(key) ? t('reports.week', { number: Number(key.slice(6)), year: key.slice(0, 4) }) : key
        case 'month':
          return format.date(`${key}-01` as LocalDate, 'month')
      }
    },
    [t, format],
  )
}
