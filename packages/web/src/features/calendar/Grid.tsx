import { Title } from '@mantine/core'
import { Link } from 'wouter'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import classes from './Grid.module.css'
import { HeatLegend } from './HeatLegend.tsx'
import { MonthTable } from './MonthTable.tsx'
import { datesOfPeriod, pathOf } from './period.ts'
import type { Calendar } from './useCalendar.ts'
import { type DateSelection, useGrid } from './useGrid.ts'

const months = Array.from({ length: 12 }, (_, index) => index + 1)

interface Props {
  calendar: Calendar
  dateSelection: DateSelection
  onOpen: () => void
}

/** Shows the dates of a month or a year. */
export function Grid({ calendar, dateSelection, onOpen }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { year, month } = calendar.period
  const { tabStop, props } = useGrid(calendar, dateSelection, onOpen)
  const shared = { calendar, selection: dateSelection.selection, tabStop }
  return (
    <section className={classes.dates} aria-label={t('calendar.dates')}>
      <div {...props} role="none">
        {month === undefined ? (
          <div className={classes.year}>
            {months.map((each) => (
              <div key={each} className={classes.month}>
                <Title order={2} className={classes.name}>
                  <Link href={pathOf({ year, month: each })}>
                    {format.date(datesOfPeriod({ year, month: each }).from, 'month')}
                  </Link>
                </Title>
                <MonthTable {...shared} month={each} isLarge={false} />
              </div>
            ))}
          </div>
        ) : (
          <MonthTable {...shared} month={month} isLarge />
        )}
      </div>
      <HeatLegend />
    </section>
  )
}
