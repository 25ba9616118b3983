import { ActionIcon, Anchor } from '@mantine/core'
import type { AbsenceRecord } from '@saldo/client/entries'
import { type DurationMs, netWorkMs, type PeriodFigures } from '@saldo/core'
import { Link } from 'wouter'
import { useFormat } from '../../context/FormatProvider.tsx'
import { ownNameOf } from '../../domain/entries/entries-model.ts'
import { useSizeText } from '../../domain/entries/entry-texts.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { IconAlertTriangle, IconLock, IconLockOpen } from '../../ui/icons.ts'
import tables from '../../ui/table.module.css'
import classes from './DaysTable.module.css'
import type { Week } from './shown-week.ts'
import { useClosing } from './useClosing.ts'
import type { WeekDay } from './week-days.ts'
import { dayLockOf, dayRowOf } from './week-model.ts'

/** Shows the figures of each day of a week, and their sums. */
export function DaysTable({ week }: { week: Week }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { sums } = week
  return (
    <table className={`${tables.figures} ${classes.table}`}>
      <caption className="visually-hidden">{t('week.table')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('week.column.day')}</th>
          <th scope="col">{t('week.column.planned')}</th>
          <th scope="col">{t('week.column.worked')}</th>
          <th scope="col" className={classes.wide}>
            {t('week.column.break')}
          </th>
          <th scope="col" className={classes.wide}>
            {t('week.column.credited')}
          </th>
          <th scope="col">{t('week.column.delta')}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {week.days.map((day) => (
          <DayRow key={day.date} day={day} week={week} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t(sums.isOver ? 'week.sum' : 'week.sumSoFar')}</th>
          <Figures figures={sums.over} breaksMs={sums.breaksMs} delta={format.delta(sums.over.delta_ms)} />
          <td />
        </tr>
      </tfoot>
    </table>
  )
}

function DayRow({ day, week }: { day: WeekDay; week: Week }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { date, state, figures, breaksMs, closedDeltaMs, isOver } = day
  const { isToday, isAhead, hasWarning, hasDelta, absences } = dayRowOf(day, week)
  return (
    <tr data-today={isToday || undefined} data-ahead={isAhead || undefined}>
      <th scope="row">
        <span className={classes.day}>
          <Anchor component={Link} href={isToday ? '/' : `/day/${date}`} underline="hover" c="inherit" inherit>
            {format.date(date, 'short')}
          </Anchor>
          {hasWarning && (
            <IconAlertTriangle className={classes.warning} size={16} role="img" aria-label={t('week.hasWarning')} />
          )}
        </span>
        {isToday && <span className={classes.note}>{t(isOver ? 'week.today' : 'week.todayOpen')}</span>}
        {absences.map((absence) => (
          <AbsenceName key={absence.id} absence={absence} />
        ))}
        {state === 'outside' && <span className={classes.note}>{t('week.outside')}</span>}
        {closedDeltaMs !== undefined && (
          <span className={classes.note}>{t('week.wasClosedWith', { delta: format.delta(closedDeltaMs) })}</span>
        )}
        <NarrowFigures figures={figures} breaksMs={breaksMs} />
      </th>
      <Figures figures={figures} breaksMs={breaksMs} delta={hasDelta ? format.delta(figures.delta_ms) : undefined} />
      <td className={classes.lock}>
        <DayLock day={day} isWeekClosed={week.closed !== undefined} />
      </td>
    </tr>
  )
}

/** Names a day off: a public holiday by its own name. */
function AbsenceName({ absence }: { absence: AbsenceRecord }) {
  const { t } = useTranslation()
  const { partText } = useSizeText()
  const part = partText(absence)
  const name = ownNameOf(absence) ?? t(`entries.kind.${absence.kind}`)
  return <span className={classes.note}>{part === undefined ? name : `${name}, ${part}`}</span>
}

interface FiguresProps {
  figures: PeriodFigures
  breaksMs: DurationMs
  delta: string | undefined
}

function Figures({ figures, breaksMs, delta }: FiguresProps) {
  const format = useFormat()
  const durationOrDash = (ms: number) => (ms === 0 ? <span className={classes.none}>–</span> : format.duration(ms))
  return (
    <>
      <td>{durationOrDash(figures.target_ms)}</td>
      <td>{durationOrDash(netWorkMs(figures))}</td>
      <td className={classes.wide}>{durationOrDash(breaksMs)}</td>
      <td className={classes.wide}>{durationOrDash(figures.credited_ms)}</td>
      <td className={classes.delta}>{delta ?? <span className={classes.none}>–</span>}</td>
    </>
  )
}

/** Shows below the date what has no column of its own on a phone. */
function NarrowFigures({ figures, breaksMs }: Pick<WeekDay, 'figures' | 'breaksMs'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const parts = [
    breaksMs > 0 && t('week.folded.break', { time: format.duration(breaksMs) }),
    figures.credited_ms > 0 && t('week.folded.credited', { time: format.duration(figures.credited_ms) }),
  ].filter((part) => part !== false)
  return parts.length > 0 ? <span className={classes.folded}>{parts.join(' · ')}</span> : null
}

interface DayLockProps {
  day: WeekDay
  isWeekClosed: boolean
}

/** Closes or reopens a single day. A day of a closed week is reopened with its week. */
function DayLock({ day, isWeekClosed }: DayLockProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { busyPeriod, settleDay } = useClosing()
  const { date } = day
  const action = dayLockOf(day, isWeekClosed)
  if (action === undefined) return null
  if (action === 'locked') {
    return <IconLock className={classes.locked} size={16} role="img" aria-label={t('week.dayClosed')} />
  }
  const Icon = action === 'reopen' ? IconLock : IconLockOpen
  const label = t(`week.${action}Day`, { day: format.date(date, 'day') })
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      loading={busyPeriod === date}
      aria-label={label}
      title={label}
      onClick={() => void settleDay(date, action)}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  )
}
