import { type ZoneName, zoneOn } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useSignedIn } from '../../../context/session.tsx'
import { rangeOf } from '../period.ts'
import type { Calendar } from '../useCalendar.ts'
import { useDayText } from '../useDayText.ts'
import classes from './MonthSheet.module.css'
import { type SheetRow, type SheetSums, sheetOf } from './sheet.ts'

/** A month as a time sheet, which replaces the calendar in print. */
export function MonthSheet({ calendar }: { calendar: Calendar }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { user } = useSignedIn()
  const { period, days, entries, timeline, today } = calendar
  const zone = zoneOn(timeline, today)
  const range = rangeOf(period)
  const daysOfMonth = [...days.values()].filter(({ date }) => date >= range.from && date <= range.to)
  const { rows, sums, sumsUntil } = sheetOf(daysOfMonth, entries, timeline, today)
  return (
    <article className={classes.sheet}>
      <h1 className={classes.title}>{t('calendar.sheet.title', { month: format.date(range.from, 'month') })}</h1>
      <p>{user.email}</p>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('calendar.sheet.day')}</th>
            <th scope="col">{t('calendar.sheet.start')}</th>
            <th scope="col">{t('calendar.sheet.end')}</th>
            <th scope="col">{t('calendar.sheet.break')}</th>
            <th scope="col">{t('calendar.sheet.worked')}</th>
            <th scope="col">{t('calendar.sheet.credited')}</th>
            <th scope="col">{t('calendar.sheet.target')}</th>
            <th scope="col">{t('calendar.sheet.delta')}</th>
            <th scope="col">{t('calendar.sheet.absence')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <DayRow key={row.day.date} row={row} zone={zone} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              {sumsUntil
                ? t('calendar.sheet.sumUntil', { date: format.date(sumsUntil, 'medium') })
                : t('calendar.sheet.sum')}
            </th>
            <Durations durations={sums} />
            <td>{format.delta(sums.deltaMs)}</td>
            <td />
          </tr>
        </tfoot>
      </table>
      <p className={classes.note}>{t('calendar.sheet.note', { date: format.date(today, 'full'), zone })}</p>
    </article>
  )
}

function DayRow({ row: { day, present, breakMs, isOver }, zone }: { row: SheetRow; zone: ZoneName }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { absenceText } = useDayText()
  const absences = day.absences.map(({ record }) => absenceText(record))
  return (
    <tr data-free={day.plannedMs === 0 || undefined}>
      <th scope="row">{format.date(day.date, 'weekdayNumber')}</th>
      <td>{present && format.time(present.start, zone)}</td>
      <td>{present && format.time(present.end, zone)}</td>
      {day.counts ? (
        <>
          <Durations durations={{ ...day, breakMs }} />
          <td>{isOver && format.delta(day.deltaMs)}</td>
          <td>{format.list(absences)}</td>
        </>
      ) : (
        <td colSpan={6}>{t('calendar.sheet.outside')}</td>
      )}
    </tr>
  )
}

function Durations({ durations }: { durations: Omit<SheetSums, 'deltaMs'> }) {
  const format = useFormat()
  const { breakMs, workedMs, creditedMs, targetMs } = durations
  const durationOrBlank = (ms: number) => (ms === 0 ? '' : format.duration(ms))
  return (
    <>
      <td>{durationOrBlank(breakMs)}</td>
      <td>{durationOrBlank(workedMs)}</td>
      <td>{durationOrBlank(creditedMs)}</td>
      <td>{durationOrBlank(targetMs)}</td>
    </>
  )
}
