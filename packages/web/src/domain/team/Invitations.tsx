import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { OwnMembership } from '@saldo/core'
import { useTranslation } from '../../i18n/translation.ts'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { useAct } from '../../ui/feedback/useAct.tsx'
import { useAttempt } from '../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../ui/Notice.tsx'
import { MembershipTerms } from './MembershipTerms.tsx'
import { useTeam } from './TeamProvider.tsx'
import { useTeamCalls } from './useTeamAnswer.ts'

interface Props {
  memberships: readonly OwnMembership[]
  /** Called when one was accepted or declined. */
  onAnswered: () => Promise<void>
}

/** The memberships that wait for the user, each with what it means. */
export function Invitations({ memberships, onAnswered }: Props) {
  return memberships
    .filter(({ accepted_on }) => accepted_on === null)
    .map((membership) => <Invitation key={membership.id} membership={membership} onAnswered={onAnswered} />)
}

function Invitation({ membership, onAnswered }: { membership: OwnMembership } & Pick<Props, 'onAnswered'>) {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const { again } = useTeam()
  const { act } = useAct()
  const { isBusy, failure, attempt } = useAttempt()
  const { id, company, group } = membership
  const answer = async (isAnswered: Promise<boolean>) => {
    if (!(await isAnswered)) return
    await again()
    await onAnswered()
  }
  return (
    <Paper
      component="section"
      withBorder
      p="lg"
      radius="md"
      maw="44rem"
      aria-label={t('team.invitation.of', { company })}
    >
      <Stack>
        <div>
          <Title order={2}>{t('team.invitation.of', { company })}</Title>
          <Text c="dimmed">{t('team.invitation.lead', { group })}</Text>
        </div>
        <MembershipTerms membership={membership} />
        {failure && <ProblemText>{failure}</ProblemText>}
        <Group>
          <Button loading={isBusy} onClick={() => void answer(attempt(calls.accept(id)))}>
            {t('team.invitation.accept')}
          </Button>
          <ConfirmButton
            label={t('team.invitation.decline')}
            of={company}
            question={t('team.invitation.declineQuestion', { company })}
            onConfirm={() => answer(act(calls.decline(id)))}
          />
        </Group>
      </Stack>
    </Paper>
  )
}
