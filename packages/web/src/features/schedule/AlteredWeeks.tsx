import { ScrollArea, Text, Title } from '@mantine/core'
import type { AlteredWeek } from '@saldo/client'
import { mondayOf } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import tables from '../../ui/table.module.css'
import classes from './AlteredWeeks.module.css'

type Weeks = readonly AlteredWeek[] | undefined

const changeOf = ({ closed, forecast }: AlteredWeek) => forecast.delta_ms - closed.delta_ms

/** What becomes of closed weeks, in a sentence, before it is done; `undefined` while it is being reckoned. */
export function AlteredSummary({ weeks }: { weeks: Weeks }) {
  const { t } = useTranslation()
  const format = useFormat()
  const all = (weeks ?? []).reduce((sum, week) => sum + changeOf(week), 0)
  return (
    <Text aria-live="polite" c={weeks?.length ? 'var(--saldo-ink)' : 'dimmed'}>
      {!weeks && t('schedule.preview.reckoning')}
      {weeks?.length === 0 && t('schedule.preview.none')}
      {weeks && weeks.length > 0 && t('schedule.preview.some', { count: weeks.length, sum: format.delta(all) })}
    </Text>
  )
}

/** The closed weeks that change, each with its change; nothing where none does. */
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
                <td className={classes.change}>{format.delta(changeOf(week))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea.Autosize>
    </section>
  )
}
