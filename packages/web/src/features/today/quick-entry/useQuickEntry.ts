import type { ShownRecord } from '@saldo/client'
import { dayWindow, type Entry, type LocalDate, MINUTE_MS } from '@saldo/core'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clock, useNow } from '../../../context/clock.ts'
import { useSaldo } from '../../../context/saldo.tsx'
import { useLive } from '../../../context/useLive.ts'
import type { Change } from '../../../domain/entries/changes.ts'
import { knownNames } from '../../../domain/entries/known-names.ts'
import { isAbsenceRecord, isTimedRecord } from '../../../domain/entries/parts.ts'
import { timerChanges } from '../../../domain/entries/timer.ts'
import { type Day, timedIn } from '../../../domain/entries/useDay.ts'
import { useEntryVerbs } from '../../../domain/entries/useEntryVerbs.ts'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { placeIn } from '../place.ts'
import type { Plan, QuickContext } from './plan.ts'
import { certainPlan, readQuickEntry } from './reading.ts'
import { textOnceFailed, textOnceKept } from './typed-text.ts'

type Rows = readonly ShownRecord<Entry>[]

/** Returns a line of text, what it means, and the functions that store it. Without a date it means the shown day. */
export function useQuickEntry(day: Day) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const { make } = useEntryVerbs()
  const nowMs = useNow(MINUTE_MS)
  const { act } = useAct()
  const [text, setText] = useState('')
  const isStoring = useRef(false)
  const all = useMemo(() => saldo.entries.all(), [saldo])
  const isEmpty = text.trim() === ''
  const rows = useLive(isEmpty ? undefined : all)
  const context = useMemo(() => rows && contextOf(day, rows, nowMs), [day, rows, nowMs])

  /** Stores what the text means. The text stays in the field until the local store has all of it. */
  const store = async (planOf: (entries: Rows) => Plan | undefined) => {
    const entries = await all.read()
    const plan = planOf(entries)
    if (!plan) return
    const changes = changesOf(plan, entries, day)
    const worked = await make(changes, t('today.quick.added', { count: changes.length }), () => {
      isStoring.current = false
      setText((typed) => textOnceKept(typed, text))
    })
    // The service may reject what the local store kept.
    if (!worked) setText((typed) => textOnceFailed(typed, text))
  }
  /** Does it once, however often Enter is pressed meanwhile. */
  const storeOnce = async (planOf: (entries: Rows) => Plan | undefined) => {
    if (isStoring.current) return
    isStoring.current = true
    await act(store(planOf))
    isStoring.current = false
  }
  return {
    text,
    setText,
    isEmpty,
    reading: context && readQuickEntry(text, context),
    /** Stores the text if there is only one way to read it. */
    submit: () => storeOnce((entries) => certainPlan(readQuickEntry(text, contextOf(day, entries, clock.now())))),
    choose: (plan: Plan) => storeOnce(() => plan),
  }
}

function contextOf({ date, today, timeline, zone }: Day, rows: Rows, nowMs: number): QuickContext {
  const records = rows.map(({ record }) => record)
  const daysByDate = new Map<LocalDate, Pick<Day, 'window' | 'timed'>>()
  const dayOn = (on: LocalDate) => {
    const window = dayWindow(timeline, on)
    const found = daysByDate.get(on) ?? { window, timed: timedIn(rows, window, nowMs) }
    daysByDate.set(on, found)
    return found
  }
  return {
    nowMs,
    today,
    defaultDate: date,
    timeline,
    projects: knownNames(records).projects,
    absences: records.filter(isAbsenceRecord),
    place: (on, lengthMs) => placeIn({ date: on, today, zone, ...dayOn(on) }, lengthMs, nowMs),
  }
}

/** A timer that starts ends those that run. */
function changesOf(plan: Plan, rows: Rows, { zone }: Day): Change[] {
  switch (plan.kind) {
    case 'entries':
      return plan.entries.map((content) => ({ op: 'create', content }))
    case 'absence':
      return plan.days.map((content) => ({ op: 'create', content }))
    case 'timer': {
      const timed = rows.map(({ record }) => record).filter(isTimedRecord)
      const running = timed.filter(({ ended_at }) => ended_at === null)
      return timerChanges(running, plan.verb, plan.startMs, zone, plan.text)
    }
  }
}
