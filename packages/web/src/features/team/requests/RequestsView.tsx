import { Button, Group, Text } from '@mantine/core'
import { useEntries } from '@saldo/client/react'
import { epochMs, isRequest, type OwnRequest } from '@saldo/core'
import { useCallback, useEffect } from 'react'
import { Link } from 'wouter'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useEntryActions } from '../../../domain/entries/useEntryActions.ts'
import { KeptNotice } from '../../../domain/team/KeptNotice.tsx'
import { useRequestText } from '../../../domain/team/useRequestText.ts'
import { useTeamAnswer, useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { askFor } from '../../../ui/asked-act.ts'
import rows from '../../../ui/rows.module.css'
import { ViewHeader } from '../../../ui/ViewHeader.tsx'
import { SubstituteText } from '../SubstituteText.tsx'
import classes from '../TeamView.module.css'
import { isWithdrawable, type ShownRequest, shownRequests } from './requests-model.ts'
import { Substitutions } from './Substitutions.tsx'

/** The requests of the user, with what came of them; recorded here, also without a network. */
export function RequestsView() {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const entries = useEntries()
  const { answer, failure, keptAtMs, again } = useTeamAnswer(
    'requests',
    useCallback(() => calls.ownRequests(), [calls]),
  )
  const own = entries?.flatMap(({ record, pending }) => (isRequest(record) ? [{ record, pending }] : []))
  const shown = shownRequests(own ?? [], answer ?? [])
  // A request that was sent since the service answered.
  const untold = answer && shown.flatMap(({ record, state }) => (state === 'unknown' ? record.id : [])).join()
  useEffect(() => {
    if (untold) void again()
  }, [untold, again])
  return (
    <>
      <ViewHeader title={t('team.requests.title')}>
        <Button component={Link} href="/calendar" {...askFor('absence')}>
          {t('team.requests.new')}
        </Button>
      </ViewHeader>
      <KeptNotice keptAtMs={keptAtMs} failure={failure} />
      <Substitutions />
      {own?.length === 0 && <Text c="dimmed">{t('team.requests.none')}</Text>}
      {shown.length > 0 && (
        <ul className={rows.list}>
          {shown.map((request) => (
            <Request key={request.record.id} request={request} onWithdrawn={again} />
          ))}
        </ul>
      )}
    </>
  )
}

const colours = { approved: 'accent', declined: 'error' } as const

function Request({
  request: { record, state, known },
  onWithdrawn,
}: {
  request: ShownRequest
  onWithdrawn: () => Promise<void>
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { titleOf, datesOf } = useRequestText()
  const { make } = useEntryActions()
  const withdraw = async () => {
    await make([{ op: 'delete', record }], t('team.requests.withdrawn'))
    await onWithdrawn()
  }
  return (
    <li className={rows.row}>
      <div className={rows.what}>
        <div className={rows.name}>{titleOf(record)}</div>
        <div className={rows.details}>{datesOf(record)}</div>
        {record.note !== '' && <div className={rows.details}>{t('team.requests.message', { note: record.note })}</div>}
        {known && <Outcome known={known} />}
      </div>
      <Group gap="sm">
        <span
          className={classes.state}
          data-colour={state in colours ? colours[state as keyof typeof colours] : undefined}
        >
          {t(`team.requests.state.${state}`)}
        </span>
        {isWithdrawable(state) && (
          <Button
            size="compact-md"
            variant="default"
            aria-label={`${t('team.requests.withdraw')}: ${titleOf(record)}, ${format.date(record.date, 'short')}`}
            onClick={() => void withdraw()}
          >
            {t('team.requests.withdraw')}
          </Button>
        )}
      </Group>
    </li>
  )
}

/** Names who decided, when and why, or who can. */
function Outcome({ known: { state, decisions, deciders, substitute } }: { known: OwnRequest }) {
  const { t } = useTranslation()
  const format = useFormat()
  const isWaiting = state === 'waiting' || state === 'waiting_for_hr'
  return (
    <div className={rows.details}>
      {decisions.map(({ stage, outcome, by, own, at, reason }) => (
        <div key={`${stage} ${at}`}>
          {t(own ? 'team.decided.own' : `team.decided.${outcome}`, {
            name: by.name,
            when: format.dateTime(epochMs(at)),
          })}
          {reason !== null && ` ${t('team.decided.reason', { reason })}`}
        </div>
      ))}
      {isWaiting && (
        <div>
          {deciders.length === 0
            ? t('team.requests.nobody')
            : t('team.requests.deciders', { names: format.list(deciders.map(({ name }) => name)) })}
        </div>
      )}
      {substitute && (
        <div>
          <SubstituteText substitute={substitute} />
        </div>
      )}
    </div>
  )
}
