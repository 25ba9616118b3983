import { HOUR_MS, type HolidayRule, type MemberDefaults } from '@saldo/core'
import { lazy, type ReactNode, Suspense } from 'react'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import bullets from '../../ui/bullets.module.css'
import { breakPresetOf } from '../work-hours/work-hours-model.ts'
import { hoursOfWeek } from './defaults.ts'

const PlaceNames = lazy(() => import('../holidays/PlaceNames.tsx'))

/** The settings with which a member starts, in words; nothing for what is open. */
export function DefaultLines({ defaults }: { defaults: MemberDefaults }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { target_ms, holidays, vacation, break_policy, auto_close, limits } = defaults
  const preset = break_policy === undefined ? undefined : breakPresetOf(break_policy)
  const lines: [string, ReactNode][] = []
  if (target_ms) {
    const { weeklyMs, days } = hoursOfWeek(target_ms)
    lines.push(['hours', t('team.defaults.hours', { hours: format.number(weeklyMs / HOUR_MS), count: days })])
  }
  if (holidays) lines.push(['holidays', <Place key="place" rule={holidays} />])
  if (holidays === null) lines.push(['holidays', t('team.defaults.noHolidays')])
  if (vacation) {
    const days = vacation.days_per_year
    lines.push(['vacation', t('team.defaults.vacation', { count: days, days: format.number(days) })])
  }
  if (preset) lines.push(['breaks', t('team.defaults.breaks', { breaks: t(`workHours.breaks.${preset}.name`) })])
  if (auto_close !== undefined)
    lines.push(['close', t(auto_close ? 'team.defaults.closed' : 'team.defaults.notClosed')])
  if (limits) lines.push(['limits', t('team.defaults.limits', { hours: format.number(limits.yellow_ms / HOUR_MS) })])
  if (lines.length === 0) return null
  return (
    <ul className={bullets.list}>
      {lines.map(([name, text]) => (
        <li key={name}>{text}</li>
      ))}
    </ul>
  )
}

function Place({ rule }: { rule: HolidayRule }) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const country = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' }).of(rule.country) ?? rule.country
  return (
    <>
      {t('team.defaults.holidays', { country })}
      <Suspense>
        <PlaceNames rule={rule} />
      </Suspense>
    </>
  )
}
