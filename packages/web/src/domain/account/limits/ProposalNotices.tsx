import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useProposals } from './useProposals.ts'

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
