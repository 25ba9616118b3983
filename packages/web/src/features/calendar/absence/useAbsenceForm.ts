import type { DateRange, Settings, Timeline } from '@saldo/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaldo } from '../../../context/saldo.tsx'
import { useLive } from '../../../context/useLive.ts'
import {
  type AbsenceDraft,
  absenceChanges,
  checkedRange,
  draftOfAbsence,
  planAbsence,
  problemOf,
} from '../../../domain/entries/absence-plan.ts'
import type { AbsenceRecord } from '../../../domain/entries/parts.ts'
import { useEntryVerbs } from '../../../domain/entries/useEntryVerbs.ts'
import { useDraft } from '../../../ui/useDraft.ts'
import { absencesOf } from '../calendar-days.ts'

export interface EditedAbsence {
  /** Without one, new absences are entered. */
  record?: AbsenceRecord
  range: DateRange
}

/** Holds the draft of an absence with its problem or its plan, and saves it. */
export function useAbsenceForm({ record, range }: EditedAbsence, timeline: Timeline<Settings>, onDone: () => void) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const { make } = useEntryVerbs()
  const [draft, change] = useDraft<AbsenceDraft>(() => draftOfAbsence(record, range))
  const { from, to } = checkedRange(draft)
  const rows = useLive(useMemo(() => saldo.entries.between({ from, to }), [saldo, from, to]))
  const problem = problemOf(draft)
  const absences = rows && absencesOf(rows).map((row) => row.record)
  const plan = absences && planAbsence(draft, timeline, absences)

  return {
    draft,
    problem,
    plan,
    canSave: problem === undefined && (record !== undefined || (plan !== undefined && plan.days.length > 0)),
    change,
    save() {
      const made = absenceChanges(draft, record, plan)
      onDone()
      void make(made, record ? t('entries.changed') : t('calendar.entered', { count: made.length }))
    },
  }
}
