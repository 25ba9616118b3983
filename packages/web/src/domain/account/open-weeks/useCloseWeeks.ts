import { useSaldo } from '@saldo/client/react'
import type { IsoWeek } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { useBusy } from '../../../ui/useBusy.ts'
import { stepOfWeeks } from './close-weeks.ts'

/** Closes weeks one after another, which can be undone as one. The service does it, so the message comes at the end. */
export function useCloseWeeks() {
  const { t } = useTranslation()
  const { weeks } = useSaldo()
  const { actWithUndo } = useAct()
  const { isBusy, run } = useBusy()

  /** Resolves to true if all weeks are closed. */
  const closeWeeks = async (wanted: readonly IsoWeek[]): Promise<boolean> => {
    const { make, takeBack } = stepOfWeeks(weeks, wanted)
    return (await run(() => actWithUndo(make, t('openWeeks.closed', { count: wanted.length }), takeBack))) ?? false
  }
  return { isBusy, closeWeeks }
}
