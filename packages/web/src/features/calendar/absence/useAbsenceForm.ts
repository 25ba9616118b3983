import {
  type AbsenceDraft,
  type AbsenceRecord,
  absenceChanges,
  checkedRange,
  draftOfAbsence,
  planAbsence,
  problemOf,
} from '@saldo/client/entries'
import { useEntries, useLive, useSaldo } from '@saldo/client/react'
import type { DateRange, Settings, Timeline } from '@saldo/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useCurrentBalance } from '../../../domain/account/useCurrentBalance.ts'
import { useToday } from '../../../domain/account/useToday.ts'
import { balanceEffect, vacationEffect } from '../../../domain/entries/absence-effect.ts'
import { useEntryVerbs } from '../../../domain/entries/useEntryVerbs.ts'
import { useDraft } from '../../../ui/useDraft.ts'
import { absencesOf } from '../calendar-days.ts'
import { rangeWith } from '../selection.ts'

export interface EditedAbsence {
  /** Without one, new absences are entered. */
  record?: AbsenceRecord
  range: DateRange
}

/** Holds the draft of an absence with its problem or its plan, and saves it. */
export function useAbsenceForm(
  { record, range: chosen }: EditedAbsence,
  timeline: Timeline<Settings>,
  onDone: () => void,
) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const { make } = useEntryVerbs()
  const [draft, change] = useDraft<AbsenceDraft>(() => draftOfAbsence(record, chosen))
  const range = checkedRange(draft)
  const today = useToday()
  const balanceMs = useCurrentBalance()
  const rows = useEntries(record ? rangeWith(range, record.date) : range)
  const absences = rows && absencesOf(rows).map((row) => row.record)
  const plan = absences && planAbsence(draft, timeline, absences)
  const made = absenceChanges(draft, record, plan)
  const records = rows?.map(({ record }) => record)
  const effectMs = records && made.length > 0 ? balanceEffect(records, made, timeline, today) : undefined
  const year = Number(range.from.slice(0, 4))
  const vacation = useLive(useMemo(() => saldo.account.vacation(year), [saldo, year]))
  const taken = records && vacationEffect(records, made, timeline, year)
  return {
    draft,
    problem: problemOf(draft),
    plan,
    /** The balance without and with the changes; `undefined` while it is computed. */
    balance:
      balanceMs === undefined || effectMs === undefined
        ? undefined
        : { nowMs: balanceMs, thenMs: balanceMs + effectMs },
    /** The days of vacation left after the changes; `undefined` without a vacation account, and if they take none. */
    vacationLeft: vacation && taken ? vacation.left - taken : undefined,
    canSave: made.length > 0,
    change,
    save() {
      onDone()
      void make(made, record ? t('entries.changed') : t('calendar.entered', { count: made.length }))
    },
  }
}
