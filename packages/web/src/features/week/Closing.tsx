import { Anchor, Button, Title } from '@mantine/core'
import type { ClosedWeek } from '@saldo/core'
import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useSaldo } from '../../context/saldo.tsx'
import { useLive } from '../../context/useLive.ts'
import { RecomputationList } from '../../domain/account/recomputation/RecomputationList.tsx'
import { historyOf } from '../../domain/account/recomputation/recomputations.ts'
import classes from './Closing.module.css'
import type { Missing } from './missing.ts'
import { useClosing } from './useClosing.ts'
import type { Week } from './useWeek.ts'

/** Whether the week is closed, and since when; or what it lacks before it should be. */
export function Closing({ week }: { week: Week }) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const closing = useClosing()
  const isOffline = useLive(saldo.status)?.online === false
  const { closed, missing } = week
  const verb = closed ? 'reopen' : 'close'
  return (
    <section className={classes.closing} aria-labelledby="closing">
      <Title order={2} id="closing">
        {t('week.closing.title')}
      </Title>
      {closed ? <Closed closed={closed} /> : <Open missing={missing} />}
      <div className={classes.act}>
        <Button
          variant={closed ? 'default' : 'filled'}
          loading={closing.busy === week.week}
          disabled={!closed && missing.some(({ mustNot }) => mustNot)}
          onClick={() => void closing.week(week.week, verb)}
        >
          {t(`week.closing.${verb}`)}
        </Button>
        {isOffline && <p className={classes.note}>{t('week.closing.offline')}</p>}
      </div>
    </section>
  )
}

function Closed({ closed }: { closed: ClosedWeek }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { firstMs, recomputations } = useMemo(() => historyOf(closed), [closed])
  return (
    <>
      <p>
        {t('week.closing.closedAt', {
          at: format.dateTime(Date.parse(closed.closed_at)),
          delta: format.delta(recomputations.length > 0 ? firstMs : closed.delta_ms),
        })}
      </p>
      {recomputations.length > 0 && (
        <RecomputationList label={t('week.closing.recomputed')} recomputations={recomputations} />
      )}
      <p className={classes.note}>{t('week.closing.stillEditable')}</p>
    </>
  )
}

function Open({ missing }: { missing: Missing[] }) {
  const { t } = useTranslation()
  if (missing.length === 0) {
    return (
      <p className={classes.ready}>
        <IconCircleCheck size={18} aria-hidden />
        {t('week.closing.ready')}
      </p>
    )
  }
  return (
    <>
      {!missing.some(({ mustNot }) => mustNot) && <p>{t('week.closing.lookFirst')}</p>}
      <ul className={classes.missing}>
        {missing.map((lack) => (
          <MissingItem key={'date' in lack ? `${lack.kind} ${lack.date}` : lack.kind} lack={lack} />
        ))}
      </ul>
    </>
  )
}

function MissingItem({ lack }: { lack: Missing }) {
  const { t } = useTranslation()
  const format = useFormat()
  const Icon = lack.mustNot ? IconClock : IconAlertTriangle
  const values = {
    ...('opens' in lack && { day: format.date(lack.opens, 'day') }),
    ...('count' in lack && { count: lack.count }),
    ...('date' in lack && { day: format.date(lack.date, 'day') }),
    ...('targetMs' in lack && { target: format.duration(lack.targetMs) }),
    ...('codes' in lack && { what: format.list(lack.codes.map((code) => t(`week.odd.${code}`))) }),
  }
  return (
    <li className={classes.item}>
      <Icon className={classes.icon} size={18} aria-hidden />
      <span>
        {t(`week.missing.${lack.kind}`, values)}{' '}
        {'date' in lack && (
          <Anchor
            component={Link}
            underline="always"
            href={`/day/${lack.date}`}
            aria-label={t('week.missing.lookAt', values)}
          >
            {t('week.missing.look')}
          </Anchor>
        )}
      </span>
    </li>
  )
}
