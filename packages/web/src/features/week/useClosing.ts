import type { Closings } from '@saldo/client'
import type { IsoWeek, LocalDate } from '@saldo/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaldo } from '../../context/saldo.tsx'
import { useAct } from '../../ui/feedback/useAct.tsx'

type Verb = 'close' | 'reopen'

/** Closing and reopening are the service's: they are told once it has done them, and each takes the other back. */
export function useClosing() {
  const { t } = useTranslation()
  const { weeks, days } = useSaldo()
  const { act, actUndoably } = useAct()
  const [busy, setBusy] = useState<string>()

  async function settle<Period extends string>(closings: Closings<Period>, period: Period, verb: Verb, told: string) {
    setBusy(period)
    const worked = await act(closings[verb](period))
    setBusy(undefined)
    const back = verb === 'close' ? 'reopen' : 'close'
    if (worked) void actUndoably(Promise.resolve(), told, () => closings[back](period))
  }

  return {
    /** The week or day that the service is being asked about. */
    busy,
    week: (week: IsoWeek, verb: Verb) => settle(weeks, week, verb, t(`week.told.week.${verb}`)),
    day: (date: LocalDate, verb: Verb) => settle(days, date, verb, t(`week.told.day.${verb}`)),
  }
}
