import { Anchor, Button, Title } from '@mantine/core'
import { useSyncStatus } from '@saldo/client/react'
import type { ClosedWeek } from '@saldo/core'
import { Link } from 'wouter'
import { useFormat } from '../../context/FormatProvider.tsx'
import { historyOf } from '../../domain/account/account-model.ts'
import { CloseWeeksButton, useOpenWeeks } from '../../domain/account/open-weeks/CloseWeeksButton.tsx'
import { RecomputationList } from '../../domain/account/recomputation/RecomputationList.tsx'
import { useHintText } from '../../domain/work-hours/work-hours-texts.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { IconAlertTriangle, IconCircleCheck, IconClock } from '../../ui/icons.ts'
import classes from './Closing.module.css'
import type { Week } from './shown-week.ts'
import { useClosing } from './useClosing.ts'
import { type ClosingIssue, canClose, isBlocking } from './week-model.ts'

/** Closes or reopens a week; shows how it was closed, or the issues of an open one. */
export function Closing({ week: { week, closed, issues } }: { week: Week }) {
  const { t } = useTranslation()
  const { busyPeriod, settleWeek } = useClosing()
  const openWeeks = useOpenWeeks()
  const isOffline = useSyncStatus()?.online === false
  const action = closed ? 'reopen' : 'close'
  return (
    <section className={classes.closing} aria-labelledby="closing">
      <Title order={2} id="closing">
        {t('week.closing.title')}
      </Title>
      {closed ? <ClosedWeekText closed={closed} /> : <Issues issues={issues} />}
      <div className={classes.act}>
        <Button
          variant={closed ? 'default' : 'filled'}
          loading={busyPeriod === week}
          disabled={!closed && !canClose(issues)}
          onClick={() => void settleWeek(week, action)}
        >
          {t(`week.closing.${action}`)}
        </Button>
        {openWeeks.length > 1 && <CloseWeeksButton openWeeks={openWeeks} />}
        {isOffline && <p className={classes.note}>{t('week.closing.offline')}</p>}
      </div>
    </section>
  )
}

function ClosedWeekText({ closed }: { closed: ClosedWeek }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { firstMs, recomputations } = historyOf(closed)
  return (
    <>
      <p>
        {t('week.closing.closedAt', {
          at: format.dateTime(Date.parse(closed.closed_at)),
          delta: format.delta(firstMs),
        })}
      </p>
      {recomputations.length > 0 && (
        <RecomputationList label={t('week.closing.recomputed')} recomputations={recomputations} />
      )}
      <p className={classes.note}>{t('week.closing.stillEditable')}</p>
    </>
  )
}

function Issues({ issues }: { issues: readonly ClosingIssue[] }) {
  const { t } = useTranslation()
  if (issues.length === 0) {
    return (
      <p className={classes.ready}>
        <IconCircleCheck size={18} aria-hidden />
        {t('week.closing.ready')}
      </p>
    )
  }
  return (
    <>
      {canClose(issues) && <p>{t('week.closing.lookFirst')}</p>}
      <ul className={classes.issues}>
        {issues.map((issue) => (
          <Issue key={'date' in issue ? `${issue.kind} ${issue.date}` : issue.kind} issue={issue} />
        ))}
      </ul>
    </>
  )
}

function Issue({ issue }: { issue: ClosingIssue }) {
  const { t } = useTranslation()
  const format = useFormat()
  const hintText = useHintText()
  const Icon = isBlocking(issue) ? IconClock : IconAlertTriangle
  const values = {
    ...('closableFrom' in issue && { day: format.date(issue.closableFrom, 'day') }),
    ...('count' in issue && { count: issue.count }),
    ...('date' in issue && { day: format.date(issue.date, 'day') }),
    ...('targetMs' in issue && { target: format.duration(issue.targetMs) }),
    ...('hints' in issue && { what: issue.hints.map(hintText).join(' ') }),
    ...('codes' in issue && { what: format.list(issue.codes.map((code) => t(`week.warning.${code}`))) }),
  }
  return (
    <li className={classes.item}>
      <Icon className={classes.icon} size={18} aria-hidden />
      <span>
        {t(`week.issue.${issue.kind}`, values)}{' '}
        {'date' in issue && (
          <Anchor
            component={Link}
            underline="always"
            href={`/day/${issue.date}`}
            aria-label={t('week.issue.lookAt', values)}
          >
            {t('week.issue.look')}
          </Anchor>
        )}
      </span>
    </li>
  )
}
