import { Text, Title } from '@mantine/core'
import { absenceKinds } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import tables from '../../ui/table.module.css'
import classes from './AbsenceCounts.module.css'
import { countAbsences } from './calendar-days.ts'
import { KindMark } from './KindMark.tsx'
import type { Calendar } from './useCalendar.ts'

/** Counts the days of the year by kind of absence. */
export function AbsenceCounts({ calendar: { days, today, period } }: { calendar: Calendar }) {
  const { t } = useTranslation()
  const format = useFormat()
  const counts = countAbsences(days.values(), absenceKinds, today)
  const numberOrDash = (count: number) => (count === 0 ? '–' : format.number(count))
  return (
    <section className={classes.counts} aria-labelledby="counts">
      <Title order={2} id="counts">
        {t('calendar.counts.title', { year: String(period.year) })}
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
              <td>{numberOrDash(soFar)}</td>
              <td>{numberOrDash(ahead)}</td>
              <td className={classes.all}>{numberOrDash(soFar + ahead)}</td>
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
