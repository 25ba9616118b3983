import type { IsoWeek } from '@saldo/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaldo } from '../../../context/saldo.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'

/** Closes weeks one after another, which can be undone as one. The service does it, so the message comes at the end. */
export function useCloseWeeks() {
  const { t } = useTranslation()
  const { weeks } = useSaldo()
  const { actWithUndo } = useAct()
  const [isBusy, setBusy] = useState(false)

  /** Resolves to true if all weeks are closed. */
  const closeWeeks = async (wanted: readonly IsoWeek[]): Promise<boolean> => {
    setBusy(true)
    const closed: IsoWeek[] = []
    const closeEach = async () => {
      for (const week of wanted) {
        await weeks.close(week)
        closed.push(week)
      }
    }
    const reopenEach = async () => {
      for (const week of closed) await weeks.reopen(week)
    }
    const isDone = await actWithUndo(closeEach, t('openWeeks.closed', { count: wanted.length }), reopenEach)
    setBusy(false)
    return isDone
  }
  return { isBusy, closeWeeks }
}
