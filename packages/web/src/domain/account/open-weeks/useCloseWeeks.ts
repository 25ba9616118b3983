import { useSaldo } from '@saldo/client/react'
import type { IsoWeek } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { stepOfWeeks } from './close-weeks.ts'

/**
 * Returns a function that closes weeks one after another, which can be undone as one. The service does it, so the
 * message comes at the end.
 */
export function useCloseWeeks() {
  const { t } = useTranslation()
  const { weeks } = useSaldo()
  const { actWithUndo } = useAct()

  /** Resolves to true if all weeks are closed. */
  return (wanted: readonly IsoWeek[]): Promise<boolean> => {
    const { make, takeBack } = stepOfWeeks(weeks, wanted)
    return actWithUndo(make, t('openWeeks.closed', { count: wanted.length }), takeBack)
  }
}
