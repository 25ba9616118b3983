import { Text } from '@mantine/core'
import type { AwayPage, DateRange, LocalDate } from '@saldo/core'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import rows from '../../../ui/rows.module.css'
import classes from './AwayGrid.module.css'
import { linesOf } from './away-model.ts'
import { useAwayText } from './useAwayText.ts'

/** Lists who is away in a month, in the order of dates; of the present month, what is not over. */
export function AwayList({ page, range, today }: { page: AwayPage; range: DateRange; today: LocalDate }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { textOf, markOf } = useAwayText()
  const lines = linesOf(page.items, range, today)
  if (lines.length === 0) return <Text c="dimmed">{t('team.away.allThere')}</Text>
  const datesOf = ({ from, to }: DateRange) =>
    from === to
      ? format.date(from, 'short')
      : t('team.away.span', { from: format.date(from, 'short'), to: format.date(to, 'short') })
  return (
    <ul className={rows.list}>
      {lines.map((line) => (
        <li key={`${line.user_id} ${line.from} ${line.sight}`} className={rows.row}>
          <span className={`${classes.mark} ${classes.alone}`} data-sight={line.sight} data-first data-last aria-hidden>
            {markOf(line)}
          </span>
          <div className={rows.what}>
            <div className={rows.name}>{line.name}</div>
            <div className={rows.details}>
              {datesOf(line)}
              {line.from <= today && today <= line.to && ` · ${t('team.away.today')}`}
            </div>
          </div>
          <span>{textOf(line)}</span>
        </li>
      ))}
    </ul>
  )
}
