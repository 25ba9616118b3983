import { Button } from '@mantine/core'
import { useLive, useSaldo } from '@saldo/client/react'
import { useMemo, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { useBusy } from '../../../ui/feedback/useAttempt.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { closeAgain, shortListOf } from '../account-model.ts'

/**
 * Offers to close the days and weeks again that a restored service has lost. Leaving them open is final, so it needs
 * a second click.
 */
export function LostClosingsNotice() {
  const { t } = useTranslation()
  const format = useFormat()
  const saldo = useSaldo()
  const { account } = saldo
  const { act } = useAct()
  const lost = useLive(useMemo(() => account.lostClosings(), [account]))
  const { isBusy, run } = useBusy()
  const [isConfirming, setConfirming] = useState(false)
  const count = lost ? lost.weeks.length + lost.days.length : 0
  if (!lost || count === 0) return null

  const names = [
    ...lost.weeks.map((week) => t('account.week', { number: Number(week.slice(6)), year: week.slice(0, 4) })),
    ...lost.days.map((date) => format.date(date, 'medium')),
  ]
  const { shown, otherCount } = shortListOf(names)
  const others = otherCount > 0 ? [t('lostClosings.more', { count: otherCount })] : []
  return (
    <Notice
      actions={
        <>
          <Button
            size="compact-sm"
            variant="default"
            loading={isBusy}
            onClick={() => void run(() => act(closeAgain(saldo, lost)))}
          >
            {t('lostClosings.closeAgain')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => (isConfirming ? void act(account.forgetLostClosings()) : setConfirming(true))}
          >
            {t(isConfirming ? 'lostClosings.forgetSure' : 'lostClosings.forget')}
          </Button>
        </>
      }
    >
      {t('lostClosings.why', { what: format.list([...shown, ...others]) })}
    </Notice>
  )
}
