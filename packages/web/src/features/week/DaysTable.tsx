import { Anchor } from '@mantine/core'
import { type DayFigures, dayWarnings, type WeekFigures } from '@saldo/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useFormat } from '../../context/FormatProvider.tsx'
import tables from '../../ui/table.module.css'
import { DayLock } from './DayLock.tsx'
import classes from './DaysTable.module.css'
import type { Week } from './useWeek.ts'
import { breaksMs, countedMs, type WeekDay } from './week-days.ts'

/** Each day with what was planned, worked, credited and taken as a break, and what it adds. */
export function DaysTable({ week }: { week: Week }) {
  const { t } = useTranslation()
  const format = useFormat()
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
          <th scope="row">{t('week.sum')}</th>
          <Figures figures={week.sums.all} delta={format.delta(week.sums.deltaMs)} />
          <td />
        </tr>
      </tfoot>
    </table>
  )
}

function DayRow({ day, week }: { day: WeekDay; week: Week }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { date, state, figures, closedDeltaMs, isOver } = day
  const isToday = date === week.today
  const isOdd = dayWarnings(week.entries, week.timeline, date).some(({ code }) => code !== 'still_running')
  const delta = state === 'outside' ? undefined : isOver || isToday ? format.delta(figures.delta_ms) : undefined
  return (
    <tr data-today={isToday || undefined} data-ahead={(!isOver && !isToday) || undefined}>
      <th scope="row">
        <span className={classes.day}>
          <Anchor component={Link} href={isToday ? '/' : `/day/${date}`} underline="hover" c="inherit" inherit>
            {format.date(date, 'short')}
          </Anchor>
          {isOdd && <IconAlertTriangle className={classes.odd} size={16} role="img" aria-label={t('week.isOdd')} />}
        </span>
        {isToday && <span className={classes.note}>{t('week.today')}</span>}
        {state === 'outside' && <span className={classes.note}>{t('week.outside')}</span>}
        {closedDeltaMs !== undefined && (
          <span className={classes.note}>{t('week.wasClosedWith', { delta: format.delta(closedDeltaMs) })}</span>
        )}
        <FoldedFigures figures={figures} />
      </th>
      <Figures figures={figures} delta={delta} />
      <td className={classes.lock}>
        <DayLock day={day} isWeekClosed={week.closed !== undefined} />
      </td>
    </tr>
  )
}

function Figures({ figures, delta }: { figures: WeekFigures; delta: string | undefined }) {
  const format = useFormat()
  const lengthOrNone = (ms: number) => (ms === 0 ? <span className={classes.none}>–</span> : format.duration(ms))
  return (
    <>
      <td>{lengthOrNone(figures.target_ms)}</td>
      <td>{lengthOrNone(countedMs(figures))}</td>
      <td className={classes.wide}>{lengthOrNone(breaksMs(figures))}</td>
      <td className={classes.wide}>{lengthOrNone(figures.credited_ms)}</td>
      <td className={classes.delta}>{delta ?? <span className={classes.none}>–</span>}</td>
    </>
  )
}

/** On a phone there is no room for these columns: they stand below the day. */
function FoldedFigures({ figures }: { figures: DayFigures }) {
  const { t } = useTranslation()
  const format = useFormat()
  const parts = [
    breaksMs(figures) > 0 && t('week.folded.break', { time: format.duration(breaksMs(figures)) }),
    figures.credited_ms > 0 && t('week.folded.credited', { time: format.duration(figures.credited_ms) }),
  ].filter((part) => part !== false)
  return parts.length > 0 ? <span className={classes.folded}>{parts.join(' · ')}</span> : null
}
