import { Text, Title } from '@mantine/core'
import { dayEntryKinds } from '@saldo/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import tables from '../../ui/table.module.css'
import classes from './Counts.module.css'
import { countAbsences } from './calendar-days.ts'
import { KindMark } from './KindMark.tsx'
import type { Calendar } from './useCalendar.ts'

const NONE = '–'

/** The days of the year by kind of absence. */
export function Counts({ calendar: { days, today, place } }: { calendar: Calendar }) {
  const { t } = useTranslation()
  const format = useFormat()
  const counts = useMemo(() => countAbsences(days.values(), dayEntryKinds, today), [days, today])
  const told = (count: number) => (count === 0 ? NONE : format.number(count))
  return (
    <section className={classes.counts} aria-labelledby="counts">
      <Title order={2} id="counts">
        {t('calendar.counts.title', { year: String(place.year) })}
      </Title>
      <table className={`${tables.figures} ${classes.table}`} aria-labelledby="counts">
        <thead>
          <tr>
            <th scope="col">{t('calendar.kind')}</th>
            <th scope="col">{t('calendar.counts.soFar')}</th>
            <th scope="col">{t('calendar.counts.ahead')}</th>
            <th scope="col">{t('calendar.counts.all')}</th>
          </tr>
        </thead>
        <tbody>
          {counts.map(({ kind, soFar, ahead }) => (
            <tr key={kind} data-none={soFar + ahead === 0 || undefined}>
              <th scope="row">
                <span className={classes.kind}>
                  <KindMark kind={kind} />
                  {t(`entries.kind.${kind}`)}
                </span>
              </th>
              <td>{told(soFar)}</td>
              <td>{told(ahead)}</td>
              <td className={classes.all}>{told(soFar + ahead)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Text size="xs" c="dimmed">
        {t('calendar.counts.help')}
      </Text>
    </section>
  )
}
