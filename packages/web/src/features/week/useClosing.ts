import type { Closings } from '@saldo/client'
import type { IsoWeek, LocalDate } from '@saldo/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaldo } from '../../context/saldo.tsx'
import { useAct } from '../../ui/feedback/useAct.tsx'

type Action = 'close' | 'reopen'

/** Closes and reopens weeks and days. The service does it, so that the message comes after its answer. */
export function useClosing() {
  const { t } = useTranslation()
  const { weeks, days } = useSaldo()
  const { actWithUndo } = useAct()
  const [busyPeriod, setBusyPeriod] = useState<string>()

  async function settle<Period extends string>(
    closings: Closings<Period>,
    period: Period,
    action: Action,
    message: string,
  ) {
    setBusyPeriod(period)
    const inverse = action === 'close' ? 'reopen' : 'close'
    await actWithUndo(
      () => closings[action](period),
      message,
      () => closings[inverse](period),
    )
    setBusyPeriod(undefined)
  }

  return {
    /** The week or day that the service is closing or reopening. */
    busyPeriod,
    settleWeek: (week: IsoWeek, action: Action) => settle(weeks, week, action, t(`week.message.week.${action}`)),
    settleDay: (date: LocalDate, action: Action) => settle(days, date, action, t(`week.message.day.${action}`)),
  }
}
