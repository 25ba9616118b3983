import { Anchor, Text } from '@mantine/core'
import type { LocalDate } from '@saldo/core'
import { useCallback } from 'react'
import { Link } from 'wouter'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import rows from '../../../ui/rows.module.css'
import { useResource } from '../../../ui/useResource.ts'
import { ViewHeader } from '../../../ui/ViewHeader.tsx'
import classes from './MonthsView.module.css'

/** The own personnel data as HR keeps them (D31.1). */
export function OwnPersonnel() {
  const { t } = useTranslation()
  const format = useFormat()
  const calls = useTeamCalls()
  const { answer, failure } = useResource(useCallback(() => calls.ownPersonnel(), [calls]))
  const dateText = (date: LocalDate | null) => (date === null ? '' : format.date(date, 'medium'))
  const facts = answer && {
    number: answer.number,
    cost_centre: answer.cost_centre,
    entry_date: dateText(answer.entry_date),
    exit_date: dateText(answer.exit_date),
  }
  return (
    <div className={classes.view}>
      <ViewHeader title={t('team.payroll.part.personnel')} />
      <Text c="dimmed">{t('team.payroll.personnel.own')}</Text>
      {failure && <Text role="alert">{failure}</Text>}
      {facts && (
        <dl className={rows.list}>
          {(['number', 'cost_centre', 'entry_date', 'exit_date'] as const).map((field) => (
            <div key={field} className={rows.row}>
              <dt className={rows.what}>{t(`team.payroll.personnel.${field}`)}</dt>
              <dd>{facts[field] || t('team.payroll.personnel.missing')}</dd>
            </div>
          ))}
        </dl>
      )}
      <p>
        <Anchor component={Link} href="/team/months">
          {t('team.months.back')}
        </Anchor>
      </p>
    </div>
  )
}
