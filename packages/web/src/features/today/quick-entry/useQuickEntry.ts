import type { Row } from '@saldo/client'
import { addDays, dayWindow, type Entry } from '@saldo/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clock } from '../../../context/clock.ts'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useSaldo } from '../../../context/saldo.tsx'
import { useLive } from '../../../context/useLive.ts'
import { type Day, entriesAround, timedIn } from '../../../domain/entries/useDay.ts'
import { useEntryVerbs } from '../../../domain/entries/useEntryVerbs.ts'
import { placeIn } from '../place.ts'
import { type QuickEntry, readQuickEntry } from './quick-entry.ts'
import type { QuickWords } from './words.ts'

const SOME_MONDAY = '2026-01-05'

/** Returns a line of text, its preview and the function that saves it. Without a date it means the shown day. */
export function useQuickEntry(day: Day) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const words = useQuickWords()
  const { make } = useEntryVerbs()
  const [text, setText] = useState('')
  const projects = useMemo(() => [...new Set(day.entries.flatMap(({ project }) => project ?? []))], [day])
  /** `rows` are the entries around the date of the line. */
  const read = (rows: readonly Row<Entry>[]): QuickEntry =>
    readQuickEntry(text, {
      today: day.today,
      defaultDate: day.date,
      zone: day.zone,
      words,
      projects,
      place(date, lengthMs) {
        const [nowMs, window] = [clock.now(), dayWindow(day.timeline, date)]
        const timed = timedIn(rows, window, nowMs)
        return placeIn({ date, today: day.today, zone: day.zone, window, timed }, lengthMs, nowMs)
      },
    })
  const said = read([])
  const date = said.ok ? said.date : day.date
  const around = useMemo(() => entriesAround(saldo, date), [saldo, date])
  const rows = useLive(around)
  const submit = async () => {
    if (!said.ok) return
    setText('')
    const entry = read(await around.read())
    const worked = entry.ok && (await make([{ op: 'create', content: entry.content }], t('entries.added')))
    if (!worked) setText((typed) => (typed === '' ? text : typed))
  }
  return { text, setText, preview: rows && read(rows), submit }
}

/** Returns the words of the user's language. */
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
