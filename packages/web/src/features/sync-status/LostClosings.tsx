import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaldo } from '../../context/saldo.tsx'
import { useLive } from '../../context/useLive.ts'
import { useAct } from '../../ui/feedback/useAct.tsx'
import { Notice } from '../../ui/Notice.tsx'

/** After the service was restored from a backup: what it does not know any more to be closed. */
export function LostClosings() {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const { act } = useAct()
  const [isBusy, setBusy] = useState(false)
  const lost = useLive(useMemo(() => saldo.account.lostClosings(), [saldo]))
  if (!lost || lost.weeks.length + lost.days.length === 0) return null

  const closeAgain = async () => {
    setBusy(true)
    const { weeks, days, account } = saldo
    const closing = async () => {
      for (const week of lost.weeks) await weeks.close(week)
      for (const date of lost.days) await days.close(date)
      await account.forgetLostClosings()
    }
    await act(closing())
    setBusy(false)
  }
  return (
    <Notice
      actions={
        <>
          <Button size="compact-md" variant="default" loading={isBusy} onClick={() => void closeAgain()}>
            {t('sync.lost.close')}
          </Button>
          <Button size="compact-md" variant="default" onClick={() => void act(saldo.account.forgetLostClosings())}>
            {t('sync.lost.forget')}
          </Button>
        </>
      }
    >
      {t('sync.lost.why', { what: [...lost.weeks, ...lost.days].join(', ') })}
    </Notice>
  )
}
