import { wallAt } from '@saldo/client/entries'
import { useSaldo } from '@saldo/client/react'
import type { KnownDays } from '@saldo/core'
import { useEffect, useState } from 'react'
import { clock } from '../../context/clock.ts'
import { likelyHolidays } from '../../domain/holidays/place.ts'
import { browserZone, likelyBreakPreset, usualWeek } from '../../domain/work-hours/work-hours-model.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { useAct } from '../../ui/feedback/useAct.tsx'
import { useBusy } from '../../ui/feedback/useAttempt.ts'
import { useForm } from '../../ui/useForm.ts'
import { answersOf, dueBefore, type FirstRunAnswers, type FirstRunStart, recordsOf } from './answers.ts'

/** Returns the library of holidays once it is loaded. */
function useKnownDays(): KnownDays | undefined {
  const [library, setLibrary] = useState<{ knownDays: KnownDays }>()
  useEffect(() => {
    void import('@saldo/core/public-holidays').then(({ knownDays }) => setLibrary({ knownDays }))
  }, [])
  return library?.knownDays
}

/**
 * Holds the answers, at first those that the browser suggests or the company has settled, and begins the account with
 * them.
 */
export function useFirstRun(start: FirstRunStart | undefined) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const { act } = useAct()
  const { isBusy, run } = useBusy()
  const knownDays = useKnownDays()
  const [answers, change] = useForm<FirstRunAnswers>(() => {
    const zone = browserZone()
    const { date } = wallAt(clock.now(), zone)
    const holidays = likelyHolidays(navigator.language, zone)
    const breaks = likelyBreakPreset(navigator.language, zone)
    const likely: FirstRunAnswers = {
      targetMs: usualWeek,
      since: date,
      openingMs: 0,
      isDueWorked: false,
      zone,
      breaks,
      holidays,
      vacationDays: null,
      vacationLeft: null,
      isAutoClosing: false,
    }
    return start ? answersOf(likely, start) : likely
  })

  const { date: today } = wallAt(clock.now(), answers.zone)
  const dueMs = dueBefore(answers, today, knownDays)
  const begin = async () => {
    const { settings, opening, grant } = recordsOf(answers, dueMs, t('firstRun.reason'), start?.defaults)
    // All at once: the settings show the first view without waiting for the service.
    const others = [
      ...(opening ? [saldo.balanceAdjustments.create(opening).settled] : []),
      ...(grant ? [saldo.entries.create(grant).settled] : []),
    ]
    await act(Promise.all([...others, saldo.settings.create(settings).settled]))
  }
  return { answers, change, today, dueMs, isBusy, begin: () => void run(begin) }
}
