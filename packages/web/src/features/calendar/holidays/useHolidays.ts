import { type DayEntryContent, type LocalDate, zoneOn } from '@saldo/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useSaldo } from '../../../context/saldo.tsx'
import type { Change } from '../../../domain/entries/changes.ts'
import { useEntryVerbs } from '../../../domain/entries/useEntryVerbs.ts'
import { absenceContent } from '../absence/plan.ts'
import type { Calendar } from '../useCalendar.ts'
import { type Answers, choicesOf } from './choices.ts'
import { type HolidayPlace, holidaysIn } from './holidays.ts'
import { rememberedPlace, rememberPlace } from './remembered-place.ts'

const KIND: DayEntryContent['kind'] = 'public_holiday'

/** The holidays of the calendar's year, which of them are to be entered, and how they are. */
export function useHolidays({ place: { year }, days, timeline, today }: Calendar, onDone: () => void) {
  const { t, i18n } = useTranslation()
  const { user } = useSaldo()
  const { locale } = useFormat()
  const { make } = useEntryVerbs()
  const [place, setPlace] = useState(() => rememberedPlace(user, zoneOn(timeline, today), locale))
  const [isWithOthers, setWithOthers] = useState(false)
  const [answers, setAnswers] = useState<Answers>(new Map())
  const holidays = useMemo(() => holidaysIn(place, year, i18n.language), [place, year, i18n.language])
  const choices = useMemo(
    () => choicesOf(holidays, isWithOthers, days, answers),
    [holidays, isWithOthers, days, answers],
  )
  const chosen = choices.filter(({ isChosen }) => isChosen)
  return {
    place,
    choices,
    chosenCount: chosen.length,
    isWithOthers,
    hasOthers: holidays.others.length > 0,
    setWithOthers,
    look(there: HolidayPlace) {
      setPlace(there)
      setAnswers(new Map())
      rememberPlace(user, there)
    },
    choose: (date: LocalDate, isWanted: boolean) => setAnswers((before) => new Map(before).set(date, isWanted)),
    enter() {
      const changes = chosen.map(({ holiday: { date, name, share } }): Change => {
        return { op: 'create', content: absenceContent({ kind: KIND, note: name }, { date, share }) }
      })
      onDone()
      void make(changes, t('calendar.entered', { count: changes.length }))
    },
  }
}
