import { Button } from '@mantine/core'
import type { LostClosings } from '@saldo/client'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useSaldo } from '../../context/saldo.tsx'
import { useLive } from '../../context/useLive.ts'
import { useAct } from '../../ui/feedback/useAct.tsx'
import { Notice } from '../../ui/Notice.tsx'

/** What the service was restored without: to be closed again, or not. Forgetting is asked twice: nothing brings it back. */
export function LostClosingsNotice() {
  const { t } = useTranslation()
  const format = useFormat()
  const { account, weeks, days } = useSaldo()
  const { act } = useAct()
  const lost = useLive(useMemo(() => account.lostClosings(), [account]))
  const [isBusy, setBusy] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const count = lost ? lost.weeks.length + lost.days.length : 0
  if (!lost || count === 0) return null

  const closeAgain = async () => {
    setBusy(true)
    await act(closeAll(lost))
    setBusy(false)
  }
  // A week closes its days.
  const closeAll = async (those: LostClosings) => {
    for (const week of those.weeks) await weeks.close(week)
    for (const date of those.days) await days.close(date)
  }
  const named = [
    ...lost.weeks.map((week) => t('account.week', { number: Number(week.slice(6)), year: week.slice(0, 4) })),
    ...lost.days.map((date) => format.date(date, 'medium')),
  ]
  const shown = named.length > 4 ? [...named.slice(0, 3), t('account.lost.more', { count: named.length - 3 })] : named
  return (
    <Notice
      actions={
        <>
          <Button size="compact-sm" variant="default" loading={isBusy} onClick={() => void closeAgain()}>
            {t('account.lost.closeAgain')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => (isAsked ? void act(account.forgetLostClosings()) : setAsked(true))}
          >
            {t(isAsked ? 'account.lost.forgetSure' : 'account.lost.forget')}
          </Button>
        </>
      }
    >
      {t('account.lost.why', { what: format.list(shown) })}
    </Notice>
  )
}
