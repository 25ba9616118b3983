import type { Closings } from '@saldo/client'
import { useSaldo } from '@saldo/client/react'
import type { IsoWeek, LocalDate } from '@saldo/core'
import { useState } from 'react'
import { useTranslation } from '../../i18n/translation.ts'
import { useAct } from '../../ui/feedback/useAct.tsx'
import { type ClosingAction, undoableClosing } from './week-model.ts'

/** Closes and reopens weeks and days. The service does it, so that the message comes after its answer. */
export function useClosing() {
  const { t } = useTranslation()
  const { weeks, days } = useSaldo()
  const { actWithUndo } = useAct()
  const [busyPeriod, setBusyPeriod] = useState<string>()

  async function settle<Period extends string>(
    closings: Closings<Period>,
    period: Period,
    action: ClosingAction,
    message: string,
  ) {
    setBusyPeriod(period)
    await actWithUndo(undoableClosing(closings, period, action), message)
    setBusyPeriod(undefined)
  }

  return {
    /** The week or day that the service is closing or reopening. */
    busyPeriod,
    settleWeek: (week: IsoWeek, action: ClosingAction) => settle(weeks, week, action, t(`week.message.week.${action}`)),
    settleDay: (date: LocalDate, action: ClosingAction) => settle(days, date, action, t(`week.message.day.${action}`)),
  }
}
