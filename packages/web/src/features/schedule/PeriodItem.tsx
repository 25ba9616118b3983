import { Badge, Text, Title } from '@mantine/core'
import { certainTime } from '@saldo/client/reading'
import { addDays, dateOfMonthDay, HOUR_MS, type HolidayRule, MINUTE_MS, type Settings } from '@saldo/core'
import { Fragment, lazy, Suspense } from 'react'
import { useFormat } from '../../context/FormatProvider.tsx'
import { breakPresetOf, weeksWithHours, weekTotal } from '../../domain/work-hours/work-hours-model.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { IconAction } from '../../ui/IconAction.tsx'
import { IconDeviceFloppy, IconPencil, IconTrash } from '../../ui/icons.ts'
import classes from './PeriodItem.module.css'
import { namedParts, type PeriodPart, type SchedulePeriod } from './periods.ts'

const PlaceNames = lazy(() => import('../../domain/holidays/PlaceNames.tsx'))

const A_SUNDAY = '2026-01-04'

interface Props {
  period: SchedulePeriod
  isPending: boolean
  onEdit: () => void
  onDelete: () => void
}

/** Shows a settings row: all of it if it is in force, else what it changed. */
export function PeriodItem({ period, isPending, onEdit, onDelete }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const textOf = useSettingText()
  const { record, from, to, state } = period
  const date = format.date(from, 'full')
  const weeks = weeksWithHours(record.target_ms)
  const shown = namedParts(period)
  return (
    <li className={classes.period} data-state={state}>
      <div className={classes.head}>
        <div className={classes.titles}>
          <Title order={2} className={classes.since}>
            {t(state === 'future' ? 'schedule.from' : 'schedule.since', { date })}
          </Title>
          {state !== 'past' && (
            <Badge variant="light" color={state === 'now' ? 'petrol' : 'gray'} tt="none">
              {t(`schedule.state.${state}`)}
            </Badge>
          )}
          {isPending && (
            <span
              className={classes.pending}
              title={t('schedule.isPending')}
              role="img"
              aria-label={t('schedule.isPending')}
            >
              <IconDeviceFloppy size={16} aria-hidden />
            </span>
          )}
        </div>
        <span className={classes.actions}>
          <IconAction
            Icon={IconPencil}
            label={t('schedule.editOne', { date })}
            title={t('schedule.edit')}
            onClick={onEdit}
          />
          <IconAction
            Icon={IconTrash}
            label={t('schedule.deleteOne', { date })}
            title={t('ui.delete')}
            onClick={onDelete}
          />
        </span>
      </div>
      {to !== null && state !== 'shadowed' && (
        <Text size="sm" c="dimmed">
          {t('schedule.until', { date: format.date(to, 'full') })}
        </Text>
      )}
      <div className={classes.week}>
        {weeks.map((week, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a week of a rotation is its place
          <Fragment key={index}>
            <span className={classes.sum}>
              {weeks.length === 1
                ? t('workHours.sum', { sum: format.duration(weekTotal(week)) })
                : t('workHours.rotation.sum', { number: index + 1, sum: format.duration(weekTotal(week)) })}
            </span>
            <ol className={classes.days}>
              {week.map((ms, day) => (
                <li key={addDays(A_SUNDAY, day + 1)} className={classes.day} data-free={ms === 0 || undefined}>
                  <span className={classes.name}>{format.date(addDays(A_SUNDAY, day + 1), 'weekdayShort')}</span>
                  <span>{format.duration(ms)}</span>
                </li>
              ))}
            </ol>
          </Fragment>
        ))}
      </div>
      {shown.length > 0 && (
        <dl className={classes.facts}>
          {shown.map((part) => (
            <div key={part}>
              <dt>{t(`schedule.part.${part}`)}</dt>
              <dd>
                {part === 'holidays' && record.holidays ? (
                  <HolidaysText rule={record.holidays} />
                ) : (
                  textOf(record, part)
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {record.note !== '' && <Text className={classes.note}>{record.note}</Text>}
    </li>
  )
}

/** The country, state and region of public holidays, and how many days are one's own. */
function HolidaysText({ rule }: { rule: HolidayRule }) {
  const { t } = useTranslation()
  const format = useFormat()
  const country = new Intl.DisplayNames(format.locale, { type: 'region', fallback: 'code' }).of(rule.country)
  const count = Object.keys(rule.partial).length
  const codes = [rule.state, rule.region].map((code) => (code === null ? '' : ` · ${code}`)).join('')
  return (
    <>
      {country}
      <Suspense fallback={codes}>
        <PlaceNames rule={rule} />
      </Suspense>
      {count > 0 && t('schedule.holidays.more', { count })}
    </>
  )
}

/** Returns a function that describes a setting of a row. */
function useSettingText() {
  const { t } = useTranslation()
  const format = useFormat()

  const breakPolicyText = (policy: Settings['break_policy']) => {
    const preset = breakPresetOf(policy)
    if (preset) return t(`workHours.breaks.${preset}.name`)
    const rules = (policy?.rules ?? []).map(({ required_ms, worked_above_ms }) =>
      t('schedule.breaks.summary', { required: format.duration(required_ms), above: format.duration(worked_above_ms) }),
    )
    return rules.length > 0 ? format.list(rules) : t('workHours.breaks.none.name')
  }

  const spanText = (span: Settings['frame']) => {
    if (!span) return t('schedule.hints.none')
    const [from, to] = [span.from, span.to].map((time) => format.time((certainTime(time) ?? 0) * MINUTE_MS, 'UTC'))
    return t('schedule.hints.span', { from, to })
  }

  const vacationText = (vacation: Settings['vacation']) => {
    if (!vacation) return t('schedule.vacation.none')
    const days = t('schedule.vacation.summary', {
      count: vacation.days_per_year,
      days: format.number(vacation.days_per_year),
    })
    const { carry_over_until: until } = vacation
    if (until === null) return days
    return t('schedule.vacation.expiring', { days, date: format.date(dateOfMonthDay(until), 'dayAndMonth') })
  }

  const limitsText = (limits: Settings['limits']) => {
    if (!limits) return t('schedule.limits.none')
    const { green_ms, yellow_ms, period_ends, keep_at_most_ms: keep } = limits
    const ranges = t('schedule.limits.ranges', { green: format.duration(green_ms), yellow: format.duration(yellow_ms) })
    if (keep === null || period_ends.length === 0) return ranges
    const dates = format.list(period_ends.map((day) => format.date(dateOfMonthDay(day), 'dayAndMonth')))
    return t('schedule.limits.expiring', { ranges, keep: format.duration(keep), dates })
  }

  return (record: Settings, part: Exclude<PeriodPart, 'target_ms'>): string => {
    const { break_policy, auto_close, time_zone, hints } = record
    switch (part) {
      case 'break_policy':
        return breakPolicyText(break_policy)
      case 'auto_close':
        return auto_close
          ? t('schedule.autoClose.summary', {
              hours: format.number(auto_close.day_after_ms / HOUR_MS),
              days: format.number(auto_close.week_after_days),
            })
          : t('schedule.autoClose.never')
      case 'time_zone':
        return time_zone
      case 'hints':
        return hints ? t(`workHours.breaks.${hints}.name`) : t('schedule.hints.none')
      case 'holidays':
        return t('schedule.holidays.none')
      case 'core_time':
      case 'frame':
        return spanText(record[part])
      case 'vacation':
        return vacationText(record.vacation)
      case 'limits':
        return limitsText(record.limits)
    }
  }
}
