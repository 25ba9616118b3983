import { Anchor, Button, Text } from '@mantine/core'
import { type AccountTrailRow, datesOfMonth, epochMs, MonthText, matches } from '@saldo/core'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import rows from '../../../ui/rows.module.css'
import { useResource } from '../../../ui/useResource.ts'
import { ViewHeader } from '../../../ui/ViewHeader.tsx'
import classes from './MonthsView.module.css'
import { wholeTrail } from './trail-model.ts'

const SHOWN = 50

/** The trail of the own account, the latest first (D29.6). */
export function OwnTrail() {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const { answer, failure } = useResource(useCallback(() => wholeTrail((after) => calls.ownTrail(after)), [calls]))
  const [count, setCount] = useState(SHOWN)
  const shown = answer?.toReversed().slice(0, count) ?? []
  return (
    <div className={classes.view}>
      <ViewHeader title={t('team.log.title')} />
      <Text c="dimmed">{t('team.log.lead')}</Text>
      {failure && <Text role="alert">{failure}</Text>}
      {answer?.length === 0 && <Text c="dimmed">{t('team.log.none')}</Text>}
      {shown.length > 0 && (
        <ul className={rows.list}>
          {shown.map((row) => (
            <TrailLine key={row.number} row={row} />
          ))}
        </ul>
      )}
      {answer && answer.length > count && (
        <Button variant="default" onClick={() => setCount(count + SHOWN)}>
          {t('team.trail.more')}
        </Button>
      )}
      <p>
        <Anchor component={Link} href="/team/months">
          {t('team.months.back')}
        </Anchor>
      </p>
    </div>
  )
}

function TrailLine({ row: { at, actor, kind, data } }: { row: AccountTrailRow }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { month, reason } = data
  const values = {
    name: actor?.name ?? t('team.log.service'),
    month: matches(MonthText, month) ? format.date(datesOfMonth(month).from, 'month') : '',
  }
  return (
    <li className={rows.row}>
      <div className={rows.what}>
        <div className={classes.text}>{t(`team.log.kind.${kind}`, values)}</div>
        {typeof reason === 'string' && <div className={rows.details}>{t('team.decided.reason', { reason })}</div>}
        <div className={rows.details}>{format.dateTime(epochMs(at))}</div>
      </div>
    </li>
  )
}
