import { ScrollArea, Text, Title } from '@mantine/core'
import type { AlteredWeek } from '@saldo/client'
import { mondayOf } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import tables from '../../ui/table.module.css'
import classes from './AlteredWeeks.module.css'

type Weeks = readonly AlteredWeek[] | undefined

const changeMs = ({ closed, forecast }: AlteredWeek) => forecast.delta_ms - closed.delta_ms

/** Says how many closed weeks a change of the settings alters; `undefined` while they are computed. */
export function AlteredSummary({ weeks }: { weeks: Weeks }) {
  const { t } = useTranslation()
  const format = useFormat()
  const sumMs = (weeks ?? []).reduce((sum, week) => sum + changeMs(week), 0)
  return (
    <Text aria-live="polite" c={weeks?.length ? 'var(--saldo-ink)' : 'dimmed'}>
      {!weeks && t('schedule.preview.loading')}
      {weeks?.length === 0 && t('schedule.preview.none')}
      {weeks && weeks.length > 0 && t('schedule.preview.some', { count: weeks.length, sum: format.delta(sumMs) })}
    </Text>
  )
}

/** Lists the closed weeks that a change of the settings alters. */
export function AlteredWeeks({ weeks = [] }: { weeks: Weeks }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (weeks.length === 0) return null
  return (
    <section className={classes.preview} aria-labelledby="altered-weeks">
      <Title order={3} id="altered-weeks">
        {t('schedule.preview.title')}
      </Title>
      <ScrollArea.Autosize mah="15rem" viewportProps={{ tabIndex: 0 }}>
        <table className={`${tables.figures} ${classes.weeks}`} aria-labelledby="altered-weeks">
          <thead>
            <tr>
              <th scope="col">{t('schedule.preview.week')}</th>
              <th scope="col">{t('schedule.preview.was')}</th>
              <th scope="col">{t('schedule.preview.becomes')}</th>
              <th scope="col">{t('schedule.preview.change')}</th>
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week.week}>
                <th scope="row">{format.date(mondayOf(week.week), 'medium')}</th>
                <td>{format.delta(week.closed.delta_ms)}</td>
                <td>{format.delta(week.forecast.delta_ms)}</td>
                <td className={classes.change}>{format.delta(changeMs(week))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea.Autosize>
    </section>
  )
}
