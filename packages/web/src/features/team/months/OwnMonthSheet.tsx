import { Anchor, Text } from '@mantine/core'
import { datesOfMonth, type Month } from '@saldo/core'
import { useCallback } from 'react'
import { Link } from 'wouter'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useProfile } from '../../../domain/profile/useProfile.ts'
import OwnMonth from '../../../domain/team/OwnMonth.tsx'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { useResource } from '../../../ui/useResource.ts'
import { ViewHeader } from '../../../ui/ViewHeader.tsx'
import { MonthSheetPaper } from './MonthSheetPaper.tsx'
import classes from './MonthsView.module.css'
import { Remarks } from './Remarks.tsx'

/** The sheet of an own month: the stored one of a locked month, or as it would be now (D27.16). */
export function OwnMonthSheet({ month }: { month: Month }) {
  const { t } = useTranslation()
  const format = useFormat()
  const calls = useTeamCalls()
  const profile = useProfile()
  const { answer, failure, again } = useResource(useCallback(() => calls.ownSheet(month), [calls, month]))
  return (
    <div className={classes.view}>
      <ViewHeader title={format.date(datesOfMonth(month).from, 'month')} />
      <OwnMonth month={month} place="month" />
      {failure && <Text role="alert">{failure}</Text>}
      {answer && <MonthSheetPaper answer={answer} profile={profile} />}
      {answer && <Remarks month={month} remarks={answer.remarks} onChanged={again} />}
      <p>
        <Anchor component={Link} href="/team/months">
          {t('team.months.back')}
        </Anchor>
      </p>
    </div>
  )
}
