import { addDays, HOUR_MS, type Settings } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { breakPresetOf } from '../../domain/work-hours/presets.ts'
import type { Part } from './periods.ts'

const SOME_SUNDAY = '2026-01-04'

/** What a settings row says of each part, in words. */
export function useFactTexts() {
  const { t } = useTranslation()
  const format = useFormat()

  function breaks(policy: Settings['break_policy']): string {
    const preset = breakPresetOf(policy)
    if (preset) return t(`workHours.breaks.${preset}.name`)
    const rules = (policy?.rules ?? []).map(({ required_ms, worked_above_ms }) =>
      t('schedule.breaks.told', { required: format.duration(required_ms), above: format.duration(worked_above_ms) }),
    )
    return rules.length > 0 ? format.list(rules) : t('workHours.breaks.none.name')
  }

  function autoClose(auto: Settings['auto_close']): string {
    if (!auto) return t('schedule.autoClose.never')
    const hours = format.number(auto.day_after_ms / HOUR_MS)
    return t('schedule.autoClose.told', { hours, days: format.number(auto.week_after_days) })
  }

  return (record: Settings, part: Exclude<Part, 'target_ms'>): string => {
    switch (part) {
      case 'break_policy':
        return breaks(record.break_policy)
      case 'auto_close':
        return autoClose(record.auto_close)
      case 'time_zone':
        return record.time_zone
      case 'week_starts_on':
        return format.date(addDays(SOME_SUNDAY, record.week_starts_on), 'weekday')
    }
  }
}
