import { Button } from '@mantine/core'
import { useSyncStatus } from '@saldo/client/react'
import { datesOfMonth, type MonthRow } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { useAct } from '../../ui/feedback/useAct.tsx'
import { useBusy } from '../../ui/feedback/useAttempt.ts'
import { useTeamCalls } from './useTeamAnswer.ts'

interface Props {
  row: MonthRow
  /** Asks for the states again. */
  onDone: () => Promise<void>
}

/** Lets a person submit a month, or withdraw it while it is not locked (D27.1). */
export function MonthActions({ row: { month, state }, onDone }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const calls = useTeamCalls()
  const { act } = useAct()
  const { isBusy, run } = useBusy()
  const { unsent = 0, online = true } = useSyncStatus() ?? {}
  if (state === 'locked') return null
  const action = state === 'open' ? 'submit' : 'withdraw'
  const change = async () => {
    await act(action === 'submit' ? calls.submitMonth(month) : calls.withdrawMonth(month))
    await onDone()
  }
  // The month would be submitted without what only this device has.
  const isIncomplete = action === 'submit' && unsent !== null && unsent > 0
  return (
    <Button
      size="compact-md"
      variant={action === 'submit' ? 'light' : 'default'}
      loading={isBusy}
      disabled={!online || isIncomplete}
      aria-label={`${t(`team.month.${action}`)}: ${format.date(datesOfMonth(month).from, 'month')}`}
      onClick={() => void run(change)}
    >
      {t(isIncomplete ? 'team.month.unsent' : `team.month.${action}`)}
    </Button>
  )
}
