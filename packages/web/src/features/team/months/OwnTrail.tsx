import { Anchor, Button, Text } from '@mantine/core'
import { useCallback, useState } from 'react'
import { Link } from 'wouter'
import { TrailLine } from '../../../domain/team/TrailLine.tsx'
import { wholeTrail } from '../../../domain/team/trail-model.ts'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import rows from '../../../ui/rows.module.css'
import { useResource } from '../../../ui/useResource.ts'
import { ViewHeader } from '../../../ui/ViewHeader.tsx'
import classes from './MonthsView.module.css'

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
