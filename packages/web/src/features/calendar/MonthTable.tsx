import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { DayCell } from './DayCell.tsx'
import { columnsOf, weeksOf } from './grid.ts'
import classes from './MonthTable.module.css'
import { rangeOf } from './place.ts'
import type { Calendar } from './useCalendar.ts'
import { rangeSelected, type Selection } from './useSelection.ts'

interface Props {
  calendar: Calendar
  /** 1 to 12. */
  month: number
  isLarge: boolean
  selection: Selection | undefined
  /** The date that the Tab key leads to. */
  stop: string
}

/** A month as a grid of weeks. */
export function MonthTable({ calendar: { place, days, today, weekStartsOn }, month, isLarge, selection, stop }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const range = rangeOf({ year: place.year, month })
  const selected = selection && rangeSelected(selection)
  const isSelected = (date: string) => selected !== undefined && date >= selected.from && date <= selected.to
  return (
    <table
      aria-label={t('calendar.monthOf', { month: format.date(range.from, 'month') })}
      className={classes.month}
      data-large={isLarge || undefined}
    >
      <thead className={isLarge ? undefined : 'visually-hidden'}>
        <tr>
          {columnsOf(weekStartsOn).map((date) => (
            <th key={date} scope="col" abbr={format.date(date, 'weekday')}>
              {format.date(date, 'weekdayShort')}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(range, weekStartsOn).map((week) => (
          <tr key={week.find((date) => date !== null)}>
            {week.map((date, column) => {
              const day = date === null ? undefined : days.get(date)
              return day ? (
                <td key={day.date}>
                  <DayCell
                    day={day}
                    isLarge={isLarge}
                    isToday={day.date === today}
                    isSelected={isSelected(day.date)}
                    isStop={day.date === stop}
                  />
                </td>
              ) : (
                <td key={columnsOf(weekStartsOn)[column]} />
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
