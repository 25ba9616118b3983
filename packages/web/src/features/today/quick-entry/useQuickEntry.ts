import type { ShownRecord } from '@saldo/client'
import type { Plan } from '@saldo/client/entries'
import { useLive, useSaldo } from '@saldo/client/react'
import { type Entry, MINUTE_MS } from '@saldo/core'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { clock, useNow } from '../../../context/clock.ts'
import { useKeptText } from '../../../context/useKeptText.ts'
import type { Day } from '../../../domain/entries/useDay.ts'
import { useEntryActions } from '../../../domain/entries/useEntryActions.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { useLoaded } from '../../../ui/useLoaded.ts'
import { textOnceFailed, textOnceKept } from './quick-entry-model.ts'

type Rows = readonly ShownRecord<Entry>[]
type Reader = typeof import('./reader.ts')

const loadReader = (): Promise<Reader> => import('./reader.ts')

/** Returns a line of text, what it means, and the functions that store it. Without a date it means the shown day. */
export function useQuickEntry(day: Day) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const { make } = useEntryActions()
  const nowMs = useNow(MINUTE_MS)
  const { act } = useAct()
  const [text, setText] = useKeptText(`line-${day.date}`)
  const isStoring = useRef(false)
  const all = useMemo(() => saldo.entries.all(), [saldo])
  const isEmpty = text.trim() === ''
  const rows = useLive(isEmpty ? undefined : all)
  const [reader, load] = useLoaded(loadReader)
  const loadOnce = useEffectEvent(load)
  useEffect(() => {
    if (!isEmpty) loadOnce()
  }, [isEmpty])
  const context = useMemo(() => rows && reader?.quickContextOf(day, rows, nowMs), [day, reader, rows, nowMs])

  /** Stores what the text means. The text stays in the field until the local store has all of it. */
  const store = async (planOf: (entries: Rows, reader: Reader) => Plan | undefined) => {
    const [entries, reader] = await Promise.all([all.read(), loadReader()])
    const plan = planOf(entries, reader)
    if (!plan) return
    const changes = reader.changesOfPlan(plan, entries, day.zone)
    const message =
      plan.kind === 'timer' ? t(`today.quick.begun.${plan.action}`) : t('today.quick.added', { count: changes.length })
    const kept = () => {
      isStoring.current = false
      setText((typed) => textOnceKept(typed, text))
    }
    const outcome = await make(changes, message, { kept })
    // The service may reject what the local store kept.
    if (outcome === 'failed') setText((typed) => textOnceFailed(typed, text))
  }
  /** Does it once, however often Enter is pressed meanwhile. */
  const storeOnce = async (planOf: (entries: Rows, reader: Reader) => Plan | undefined) => {
    if (isStoring.current) return
    isStoring.current = true
    await act(store(planOf))
    isStoring.current = false
  }
  return {
    text,
    setText,
    isEmpty,
    reading: context && reader?.readQuickEntry(text, context),
    PlanWords: reader?.PlanWords,
    /** Loads what reads a line, before the first key. */
    prepare: load,
    /** Stores the text if there is only one way to read it. */
    submit: () =>
      storeOnce((entries, { certainPlan, quickContextOf, readQuickEntry }) =>
        certainPlan(readQuickEntry(text, quickContextOf(day, entries, clock.now()))),
      ),
    choose: (plan: Plan) => storeOnce(() => plan),
  }
}
