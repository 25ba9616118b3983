import { Button, Group, Stack, Text } from '@mantine/core'
import { useEntries, useLive, useSaldo, useSyncStatus } from '@saldo/client/react'
import { epochMs, type ProposalRow } from '@saldo/core'
import { useCallback, useMemo } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { readWireChange } from '../../../domain/records/wire-change.ts'
import { useTeamAnswer, useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { useBusy } from '../../../ui/feedback/useAttempt.ts'
import rows from '../../../ui/rows.module.css'
import { TitledSection } from '../../../ui/TitledSection.tsx'
import { AskedChanges } from '../inbox/AskedChanges.tsx'
import classes from './MonthsView.module.css'
import { presentOf, shownProposals } from './proposals-model.ts'

/** The changes that HR proposes or has made, with their reasons; nothing without any (D28.1). */
export function Proposals() {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const { answer = [], again } = useTeamAnswer(
    'proposals',
    useCallback(() => calls.ownProposals(), [calls]),
  )
  const shown = shownProposals(answer)
  if (shown.length === 0) return null
  return (
    <TitledSection title={t('team.proposals.title')} lead={t('team.proposals.lead')} className={classes.section}>
      <ul className={rows.list}>
        {shown.map((proposal) => (
          <Proposal key={proposal.id} proposal={proposal} onAnswered={again} />
        ))}
      </ul>
    </TitledSection>
  )
}

function Proposal({ proposal, onAnswered }: { proposal: ProposalRow; onAnswered: () => Promise<void> }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, by, at, reason, changes, state } = proposal
  return (
    <li className={rows.row}>
      <div className={rows.what}>
        <div className={rows.name}>{reason}</div>
        <div className={rows.details}>
          {t(`team.proposals.state.${state}`, { name: by.name, when: format.dateTime(epochMs(at)) })}
        </div>
        {state === 'waiting' && <Waiting id={id} changes={changes} onAnswered={onAnswered} />}
      </div>
    </li>
  )
}

interface WaitingProps extends Pick<ProposalRow, 'id' | 'changes'> {
  onAnswered: () => Promise<void>
}

/** The changes beside the records as this device has them, and the answer. */
function Waiting({ id, changes, onAnswered }: WaitingProps) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const calls = useTeamCalls()
  const { act } = useAct()
  const { isBusy, run } = useBusy()
  const isOffline = useSyncStatus()?.online === false
  const entries = useEntries()
  const settings = useLive(useMemo(() => saldo.settings.all(), [saldo]))
  const adjustments = useLive(useMemo(() => saldo.balanceAdjustments.all(), [saldo]))
  if (!entries || !settings || !adjustments) return null
  const records = [...entries, ...settings, ...adjustments].map(({ record }) => record)
  const present = presentOf(changes, records)
  const otherNotes = changes.map((change, index) => {
    const before = present[index] ?? null
    const content = readWireChange(change, before)?.content
    return content != null && noteOf(content) !== noteOf(before)
  })
  const answer = async (given: 'accept' | 'decline') => {
    await act(calls.answerProposal(id, given))
    await onAnswered()
  }
  return (
    <Stack gap="sm" mt="sm">
      <AskedChanges {...{ changes, present, other_notes: otherNotes }} title={t('team.proposals.proposed')} />
      <Group>
        <Button loading={isBusy} disabled={isOffline} onClick={() => void run(() => answer('accept'))}>
          {t('team.proposals.accept')}
        </Button>
        <Button variant="default" disabled={isOffline || isBusy} onClick={() => void run(() => answer('decline'))}>
          {t('team.proposals.decline')}
        </Button>
        {isOffline && <Text c="dimmed">{t('ui.failure.offline')}</Text>}
      </Group>
    </Stack>
  )
}

function noteOf(content: object | null): unknown {
  return (content && 'note' in content && content.note) || ''
}
