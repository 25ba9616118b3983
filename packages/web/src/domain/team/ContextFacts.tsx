import { Stack, Text } from '@mantine/core'
import type { AwayDates, RequestContext } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import bullets from '../../ui/bullets.module.css'
import { Notice } from '../../ui/Notice.tsx'
import { useByName } from './useByName.ts'

interface Props {
  context: RequestContext
  /** False for a change of entries, which asks for no days of its own. */
  hasDays?: boolean
}

/** The facts before asking and deciding: days, vacation, who is away, staffing, blocked periods (D26.11). */
export function ContextFacts({ context, hasDays = true }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const byName = useByName()
  const { days, vacation, away, short_staffed, blocked } = context
  const spanOf = ({ from, to }: Pick<AwayDates, 'from' | 'to'>) =>
    from === to ? format.date(from, 'short') : format.dateRange({ from, to })
  return (
    <Stack gap="sm">
      {hasDays && <Text fw={600}>{t('team.context.days', { count: days, days: format.number(days) })}</Text>}
      {vacation && (
        <Text c={vacation.left_if_approved < 0 ? 'var(--saldo-error-text)' : 'var(--saldo-ink)'}>
          {t(vacation.asked > 0 ? 'team.context.vacationWithAsked' : 'team.context.vacation', {
            left: format.number(vacation.left),
            asked: format.number(vacation.asked),
            after: format.number(vacation.left_if_approved),
          })}
        </Text>
      )}
      {blocked.map(({ from, to, reason }) => (
        <Notice key={`${from} ${to} ${reason}`}>
          {t('team.context.blocked', { dates: spanOf({ from, to }), reason })}
        </Notice>
      ))}
      {short_staffed.length > 0 && (
        <Notice>
          {t('team.context.short', { count: short_staffed.length })}{' '}
          {format.list(
            short_staffed.map(({ date, present, least }) =>
              t('team.context.present', { date: format.date(date, 'short'), count: present, least }),
            ),
          )}
        </Notice>
      )}
      {away.length === 0 ? (
        <Text>{t('team.context.nobodyAway')}</Text>
      ) : (
        <div>
          <Text>{t('team.context.away', { count: away.length })}</Text>
          <ul className={bullets.list}>
            {away.toSorted(byName).map(({ user_id, name, dates }) => (
              <li key={user_id}>{t('team.context.person', { name, dates: format.list(dates.map(spanOf)) })}</li>
            ))}
          </ul>
        </div>
      )}
    </Stack>
  )
}
