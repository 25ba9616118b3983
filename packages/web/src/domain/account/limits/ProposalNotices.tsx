import { Button } from '@mantine/core'
import { useLive, useSaldo } from '@saldo/client/react'
import { contentOf, type ExpiryProposal, expiryOf } from '@saldo/core'
import { useMemo } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { undoableWrite } from '../../undoable-writes.ts'
import { adjustedExpiry } from '../account-model.ts'

/** Returns the proposals that wait for a decision or show a difference, and functions that decide them. */
function useProposals() {
  const { t } = useTranslation()
  const format = useFormat()
  const { account, balanceAdjustments } = useSaldo()
  const { act, actWithUndo } = useAct()
  const proposals = useLive(useMemo(() => account.proposals(), [account])) ?? []

  const decide = async (proposal: ExpiryProposal, decision: 'accept' | 'decline') => {
    const words = {
      hours: format.duration(proposal.excess_ms),
      keep: format.duration(proposal.keep_at_most_ms),
      date: format.date(proposal.period_end, 'medium'),
    }
    const content = expiryOf(proposal, decision, t(`limits.reason.${decision}`, words))
    const decided = undoableWrite(balanceAdjustments, proposal.adjustment_id, undefined, content)
    await actWithUndo(decided, t(`limits.message.${decision}`, words))
  }

  /** Lets the present excess expire instead of what expired; nothing if there is no excess any more. */
  const adjust = async ({ adjustment_id, excess_ms }: ExpiryProposal) => {
    const rows = await balanceAdjustments.all().read()
    const record = rows.find(({ record: { id } }) => id === adjustment_id)?.record
    if (!record) return
    const before = contentOf(record)
    const adjusted = undoableWrite(balanceAdjustments, adjustment_id, before, adjustedExpiry(before, excess_ms))
    await actWithUndo(adjusted, t('limits.message.adjust', { hours: format.duration(excess_ms) }))
  }

  return {
    open: proposals.filter(({ state }) => state === 'open'),
    changed: proposals.filter(({ state }) => state === 'changed'),
    decide: (proposal: ExpiryProposal, decision: 'accept' | 'decline') => void decide(proposal, decision),
    adjust: (proposal: ExpiryProposal) => void act(adjust(proposal)),
  }
}

/** Asks what is to happen with the hours above the limit at the end of a period. */
export function OpenProposal() {
  const { t } = useTranslation()
  const format = useFormat()
  const { open, decide } = useProposals()
  return open.map((proposal) => {
    const hours = format.duration(proposal.excess_ms)
    return (
      <Notice
        key={proposal.period_end}
        actions={
          <>
            <Button size="compact-sm" variant="default" onClick={() => decide(proposal, 'accept')}>
              {t('limits.accept', { hours })}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => decide(proposal, 'decline')}>
              {t('limits.decline')}
            </Button>
          </>
        }
      >
        {t('limits.open', {
          hours,
          date: format.date(proposal.period_end, 'full'),
          balance: format.delta(proposal.balance_ms),
          keep: format.duration(proposal.keep_at_most_ms),
        })}
      </Notice>
    )
  })
}

/** Shows which accepted periods would let another amount expire now. */
export function ChangedProposals() {
  const { t } = useTranslation()
  const format = useFormat()
  const { changed, adjust } = useProposals()
  return changed.map((proposal) => {
    const hours = format.duration(proposal.excess_ms)
    const expired = format.duration(proposal.expired_ms ?? 0)
    return (
      <Notice
        key={proposal.period_end}
        actions={
          <Button size="compact-sm" variant="default" onClick={() => adjust(proposal)}>
            {t('limits.adjust', { hours })}
          </Button>
        }
      >
        {t('limits.changed', { hours, expired, date: format.date(proposal.period_end, 'full') })}
      </Notice>
    )
  })
}
