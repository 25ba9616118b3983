import { addDays } from '@saldo/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useClock } from '../../../app/now.tsx'
import type { Day } from '../../../ui/entries/useDay.ts'
import { useEntryVerbs } from '../../../ui/entries/useEntryVerbs.ts'
import { useFormat } from '../../../ui/format/useFormat.ts'
import { placeIn } from '../place.ts'
import { type QuickEntry, readQuickEntry } from './quick-entry.ts'
import type { QuickWords } from './words.ts'

const SOME_MONDAY = '2026-01-05'

/** A line of text, what it would become, and how it becomes that. Days without a name are those of the day shown. */
export function useQuickEntry(day: Day) {
  const { t } = useTranslation()
  const clock = useClock()
  const words = useQuickWords()
  const { make } = useEntryVerbs()
  const [text, setText] = useState('')
  const projects = useMemo(() => [...new Set(day.entries.flatMap(({ project }) => project ?? []))], [day])
  const read = (line: string): QuickEntry =>
    readQuickEntry(line, {
      today: day.today,
      defaultDate: day.date,
      zone: day.zone,
      words,
      projects,
      place: (date, lengthMs) => placeIn(day, date, lengthMs, clock.now()),
    })
  const preview = read(text)
  const submit = async () => {
    const entry = read(text)
    if (!entry.ok) return
    setText('')
    const worked = await make([{ op: 'create', content: entry.content }], t('entries.added'))
    if (!worked) setText((typed) => (typed === '' ? text : typed))
  }
  return { text, setText, preview, submit }
}

/** The words of the reader's language. */
function useQuickWords(): QuickWords {
  const { t } = useTranslation()
  const format = useFormat()
  return useMemo(() => {
    const list = (key: string) => t(`today.quick.words.${key}`).split(', ')
    const weekdays = Array.from({ length: 7 }, (_, index) => addDays(SOME_MONDAY, index))
    const named = <T>(entries: [string, T][]) =>
      new Map(entries.flatMap(([key, value]) => list(key).map((word) => [word, value] as const)))
    return {
      days: named([
        ['today', 0],
        ['yesterday', -1],
        ['dayBeforeYesterday', -2],
        ['tomorrow', 1],
      ]),
      weekdays: weekdays.map((date) =>
        [format.date(date, 'weekday'), format.date(date, 'weekdayShort')].map((name) =>
          name.replace('.', '').toLowerCase(),
        ),
      ),
      breaks: new Set(list('break')),
      absences: named([
        ['vacation', 'vacation'],
        ['sick', 'sick'],
        ['publicHoliday', 'public_holiday'],
        ['lieu', 'time_off_in_lieu'],
        ['unpaid', 'unpaid'],
      ]),
      half: new Set(list('half')),
      until: new Set(list('until')),
    }
  }, [t, format])
}
