import { Button, Group, Stack, Text, Textarea, Title } from '@mantine/core'
import { RejectedError } from '@saldo/client'
import { type DecisionInput, epochMs, type InboxRow, type RequestToDecide } from '@saldo/core'
import { useCallback, useRef, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useKeptText } from '../../../context/useKeptText.ts'
import { ContextFacts } from '../../../domain/team/ContextFacts.tsx'
import { useRequestText } from '../../../domain/team/useRequestText.ts'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { Notice, ProblemText } from '../../../ui/Notice.tsx'
import { useResource } from '../../../ui/useResource.ts'
import { useShortcuts } from '../../../ui/useShortcuts.ts'
import { SubstituteText } from '../SubstituteText.tsx'
import { AskedChanges } from './AskedChanges.tsx'
import { GroupMonth } from './GroupMonth.tsx'
import classes from './InboxView.module.css'
import { isAboutAbsence } from './inbox-model.ts'

interface Props {
  row: InboxRow
  isOffline: boolean
  onDecided: () => Promise<void>
}

/** A request beside the calendar of its dates and its effect, and its decision. */
export function RequestPanel({ row: { user, request_id }, isOffline, onDecided }: Props) {
  const calls = useTeamCalls()
  const { answer, failure, again } = useResource(
    useCallback(() => calls.requestOf(user.user_id, request_id), [calls, user.user_id, request_id]),
  )
  return (
    <section className={classes.panel} aria-label={user.name}>
      {failure && <Text role="alert">{failure}</Text>}
      {answer && <Decide request={answer} isOffline={isOffline} onDecided={onDecided} onChanged={again} />}
    </section>
  )
}

interface DecideProps {
  request: RequestToDecide
  isOffline: boolean
  onDecided: () => Promise<void>
  /** Called when the request was changed or decided meanwhile. */
  onChanged: () => Promise<void>
}

const decisionWords = { precondition_failed: 'team.inbox.changed', conflict: 'team.inbox.decided' } as const
/** Changes can also be in conflict with what their records became. */
const changeWords = { precondition_failed: 'team.inbox.changed', conflict: 'team.inbox.notMade' } as const

async function isConflict(sent: Promise<unknown>): Promise<boolean> {
  return sent.then(
    () => false,
    (error: unknown) => error instanceof RejectedError && error.problem.code === 'conflict',
  )
}

function Decide({ request: answer, isOffline, onDecided, onChanged }: DecideProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const calls = useTeamCalls()
  const { titleOf, datesOf } = useRequestText()
  const { isBusy, failure, attempt } = useAttempt(answer.asks === 'change' ? changeWords : decisionWords)
  const [reason, setReason] = useKeptText(`reason-${answer.request_id}`)
  const [isMissing, setMissing] = useState(false)
  const [isOverwriting, setOverwriting] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const { user, request_id, digest, request, present, other_notes, context, decisions, substitute, from, to } = answer
  const asked = request.kind === 'request' ? request : undefined
  const decide = async (outcome: DecisionInput['outcome'], overwrite = false) => {
    if (isOffline || isBusy) return
    const text = reason.trim()
    if (outcome === 'declined' && text === '') {
      setMissing(true)
      field.current?.focus()
      return
    }
    const decision = { digest, outcome, reason: text === '' ? null : text, overwrite }
    const sent = calls.decide(user.user_id, request_id, decision)
    if (await attempt(sent)) {
      setReason('')
      return onDecided()
    }
    setOverwriting(outcome === 'approved' && !overwrite && asked?.changes != null && (await isConflict(sent)))
    return onChanged()
  }
  useShortcuts({ A: () => void decide('approved'), D: () => void decide('declined') })
  return (
    <Stack gap="md">
      <div>
        <Title order={2}>{user.name}</Title>
        {asked && (
          <>
            <Text fw={600}>{titleOf(asked)}</Text>
            <Text>{datesOf(asked)}</Text>
          </>
        )}
        {asked && asked.note !== '' && <Text>{t('team.requests.message', { note: asked.note })}</Text>}
      </div>
      {asked?.changes && (
        <AskedChanges {...{ changes: asked.changes, present, other_notes }} title={t('team.request.asked')} />
      )}
      {decisions.map(({ stage, outcome, by, at, reason: why }) => (
        <Text key={`${stage} ${at}`} c="dimmed">
          {t(`team.decided.${outcome}`, { name: by.name, when: format.dateTime(epochMs(at)) })}
          {why !== null && ` ${t('team.decided.reason', { reason: why })}`}
        </Text>
      ))}
      {substitute && (
        <Text>
          <SubstituteText substitute={substitute} />
        </Text>
      )}
      {(!asked?.changes || isAboutAbsence(asked.changes, present)) && (
        <>
          <ContextFacts context={context} hasDays={asked?.changes == null} />
          <GroupMonth owner={user} range={{ from, to }} away={context.away} />
        </>
      )}
      <Textarea
        ref={field}
        label={t('team.inbox.reason')}
        description={t('team.inbox.reasonHelp')}
        maxLength={1_000}
        autosize
        minRows={2}
        error={isMissing && t('team.inbox.noReason')}
        value={reason}
        onChange={(event) => {
          setReason(event.currentTarget.value)
          setMissing(false)
        }}
      />
      {failure && <ProblemText>{failure}</ProblemText>}
      {isOverwriting && (
        <Notice
          actions={
            <Button
              size="compact-md"
              variant="default"
              loading={isBusy}
              disabled={isOffline}
              onClick={() => void decide('approved', true)}
            >
              {t('team.inbox.overwrite')}
            </Button>
          }
        >
          {t('team.inbox.recordChanged')}
        </Notice>
      )}
      <Group>
        <Button loading={isBusy} disabled={isOffline} onClick={() => void decide('approved')}>
          {t('team.inbox.approve')}
        </Button>
        <Button variant="default" disabled={isOffline || isBusy} onClick={() => void decide('declined')}>
          {t('team.inbox.decline')}
        </Button>
      </Group>
    </Stack>
  )
}
