import type { LocalDate } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { columnsOf, type DaySelection, isSelected, weeksOfMonth } from './calendar-model.ts'
import { DayCell } from './DayCell.tsx'
import classes from './MonthTable.module.css'
import { datesOfPeriod } from './period.ts'
import type { Calendar } from './useCalendar.ts'

interface Props {
  calendar: Calendar
  /** 1 to 12. */
  month: number
  isLarge: boolean
  selection: DaySelection | undefined
  /** The date that the Tab key leads to. */
  tabStop: LocalDate
}

/** Shows a month as a grid of weeks. */
export function MonthTable({ calendar, month, isLarge, selection, tabStop }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { period, days, today, weekStartsOn } = calendar
  const columns = columnsOf(weekStartsOn)
  const range = datesOfPeriod({ year: period.year, month })
  return (
    <table
      aria-label={t('calendar.monthOf', { month: format.date(range.from, 'month') })}
      className={classes.month}
      data-large={isLarge || undefined}
    >
      <thead className={isLarge ? undefined : 'visually-hidden'}>
        <tr>
          {columns.map((date) => (
            <th key={date} scope="col" abbr={format.date(date, 'weekday')}>
              {format.date(date, 'weekdayShort')}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOfMonth(range, weekStartsOn).map((week) => (
          <tr key={week.find((date) => date !== null)}>
            {week.map((date, column) => {
              const day = date === null ? undefined : days.get(date)
              return day ? (
                <td key={day.date}>
                  <DayCell
                    day={day}
                    isLarge={isLarge}
                    isToday={day.date === today}
                    isSelected={isSelected(selection, day.date)}
                    isTabStop={day.date === tabStop}
                  />
                </td>
              ) : (
                <td key={columns[column]} />
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
