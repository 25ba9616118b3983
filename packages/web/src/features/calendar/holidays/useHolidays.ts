import { type LocalDate, zoneOn } from '@saldo/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useSaldo } from '../../../context/saldo.tsx'
import { absenceContent } from '../../../domain/entries/absence-plan.ts'
import { sizeOfShare } from '../../../domain/entries/absence-size.ts'
import type { Change } from '../../../domain/entries/changes.ts'
import { useEntryVerbs } from '../../../domain/entries/useEntryVerbs.ts'
import type { Calendar } from '../useCalendar.ts'
import { choicesOf } from './choices.ts'
import { type HolidayPlace, holidaysIn } from './holidays.ts'
import { rememberedPlace, rememberPlace } from './remembered-place.ts'

/** Holds the place and the chosen holidays of a year, and enters them. */
export function useHolidays({ period: { year }, days, timeline, today }: Calendar, onDone: () => void) {
  const { t, i18n } = useTranslation()
  const { user } = useSaldo()
  const { locale } = useFormat()
  const { make } = useEntryVerbs()
  const [place, setPlace] = useState(() => rememberedPlace(user, zoneOn(timeline, today), locale))
  const [hasOthers, setHasOthers] = useState(false)
  const [decisions, setDecisions] = useState<ReadonlyMap<LocalDate, boolean>>(new Map())
  const holidays = useMemo(() => holidaysIn(place, year, i18n.language), [place, year, i18n.language])
  const choices = choicesOf(holidays, hasOthers, days, decisions)
  const chosen = choices.filter(({ isChosen }) => isChosen)
  return {
    place,
    choices,
    chosenCount: chosen.length,
    hasOthers,
    canHaveOthers: holidays.others.length > 0,
    setHasOthers,
    changePlace(chosenPlace: HolidayPlace) {
      setPlace(chosenPlace)
      setDecisions(new Map())
      rememberPlace(user, chosenPlace)
    },
    choose: (date: LocalDate, isChosen: boolean) => setDecisions((before) => new Map(before).set(date, isChosen)),
    enter() {
      const changes = chosen.map(({ holiday: { date, name, share } }): Change => {
        return {
          op: 'create',
          content: absenceContent({ kind: 'public_holiday', note: name }, { date, size: sizeOfShare(share) }),
        }
      })
      onDone()
      void make(changes, t('calendar.entered', { count: changes.length }))
    },
  }
}
