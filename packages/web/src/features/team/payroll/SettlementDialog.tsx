import { Group, Stack, Text, Textarea } from '@mantine/core'
import { systemRandom } from '@saldo/client'
import type { ExitSettlement, PersonnelRow } from '@saldo/core'
import { useCallback, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../../ui/Notice.tsx'
import { useResource } from '../../../ui/useResource.ts'

interface Props {
  person: PersonnelRow
  onClose: () => void
}

/** The open points of somebody who leaves, and the proposal that ends their planned time (D31.5). HR decides. */
export function SettlementDialog({ person, onClose }: Props) {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const { user_id: user, name, email } = person
  const { answer, failure } = useResource(useCallback(() => calls.settlementOf(user), [calls, user]))
  return (
    <Dialog title={t('team.settlement.of', { name: name || email })} onClose={onClose} isForm>
      <Stack>
        {failure && <Text role="alert">{failure}</Text>}
        {answer && <Settlement user={user} settlement={answer} onClose={onClose} />}
      </Stack>
    </Dialog>
  )
}

interface SettlementProps {
  user: number
  settlement: ExitSettlement
  onClose: () => void
}

function Settlement({ user, settlement, onClose }: SettlementProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const calls = useTeamCalls()
  const { isBusy, failure, attempt } = useAttempt()
  const { exit_date, balance_on, balance_ms, vacation, changes } = settlement
  const date = format.date(exit_date, 'medium')
  const [id] = useState(() => systemRandom.uuid())
  const [reason, setReason] = useState(t('team.settlement.usualReason', { date }))
  const propose = async () => {
    if (await attempt(calls.proposeTo(user, { id, reason: reason.trim(), changes, apply: false }))) onClose()
  }
  const facts = [
    [t('team.settlement.balance', { date: format.date(balance_on, 'medium') }), format.delta(balance_ms)],
    ...(vacation
      ? [
          [t('team.settlement.twelfths'), t('team.settlement.days', { count: vacation.twelfths })],
          [t('team.settlement.full'), t('team.settlement.days', { count: vacation.full })],
        ]
      : []),
  ]
  return (
    <>
      <dl>
        {facts.map(([fact, value]) => (
          <Group key={fact} justify="space-between" gap="md">
            <dt>{fact}</dt>
            <dd>{value}</dd>
          </Group>
        ))}
      </dl>
      {vacation && <Text c="dimmed">{t('team.settlement.decide')}</Text>}
      <Text>{t('team.settlement.proposal', { date })}</Text>
      <Textarea
        label={t('team.inbox.reason')}
        description={t('team.board.reasonHelp', { count: 10 })}
        maxLength={1_000}
        autosize
        minRows={2}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {failure && <ProblemText>{failure}</ProblemText>}
      <FormFooter
        action={t('team.person.propose')}
        disabled={reason.trim().length < 10}
        loading={isBusy}
        onAction={propose}
        onCancel={onClose}
      />
    </>
  )
}
