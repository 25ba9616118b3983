import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import type { AbsencePlan } from './plan.ts'

/** What will be entered, and what is left out, before it is. */
export function PlanText({ plan: { days, free, full } }: { plan: AbsencePlan }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [first, last] = [days[0], days.at(-1)]
  const sum = days.reduce((all, { share }) => all + share, 0)
  return (
    <div aria-live="polite">
      {first && last ? (
        <Text fw={600}>
          {first === last
            ? t('calendar.plan.one', { date: format.date(first.date, 'day') })
            : t('calendar.plan.several', {
                count: days.length,
                from: format.date(first.date, 'short'),
                to: format.date(last.date, 'short'),
              })}
          {sum !== days.length && ` ${t('calendar.plan.sum', { count: sum, sum: format.number(sum) })}`}
        </Text>
      ) : (
        <Text fw={600}>{t('calendar.plan.none')}</Text>
      )}
      {free.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('calendar.plan.free', { count: free.length })}
        </Text>
      )}
      {full.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('calendar.plan.full', { dates: format.list(full.map((date) => format.date(date, 'short'))) })}
        </Text>
      )}
    </div>
  )
}
