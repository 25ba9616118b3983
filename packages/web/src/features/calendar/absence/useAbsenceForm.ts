import {
  type AbsenceForm,
  type AbsenceRecord,
  absenceChanges,
  absenceFormOf,
  absenceProblemOf,
  checkedRange,
  planAbsence,
} from '@saldo/client/entries'
import { useEntries, useLive, useSaldo } from '@saldo/client/react'
import type { DateRange, Settings, Timeline } from '@saldo/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useCurrentBalance, useToday } from '../../../domain/account/TimelineProvider.tsx'
import { useEntryActions } from '../../../domain/entries/useEntryActions.ts'
import { closeAndSave, type OnDone } from '../../../ui/useEditor.ts'
import { useForm } from '../../../ui/useForm.ts'
import { absencesOf } from '../calendar-days.ts'
import { rangeWith } from '../calendar-model.ts'
import { absencePreview, workedOn } from './absence-preview.ts'

export interface EditedAbsence {
  /** Without one, new absences are entered. */
  record?: AbsenceRecord
  range: DateRange
  /** The input of absences that could not be saved. */
  form?: AbsenceForm
}

/** Holds the form of an absence with its problem or its plan, and saves it. */
export function useAbsenceForm(edited: EditedAbsence, timeline: Timeline<Settings>, onDone: OnDone<EditedAbsence>) {
  const { record } = edited
  const { t } = useTranslation()
  const saldo = useSaldo()
  const { make } = useEntryActions()
  const [form, change] = useForm<AbsenceForm>(() => edited.form ?? absenceFormOf(record, edited.range))
  const range = checkedRange(form)
  const today = useToday()
  const balanceMs = useCurrentBalance()
  const rows = useEntries(record ? rangeWith(range, record.date) : range)
  const absences = rows && absencesOf(rows).map((row) => row.record)
  const plan = absences && planAbsence(form, timeline, absences)
  const made = absenceChanges(form, record, plan)
  const records = rows?.map(({ record }) => record)
  const year = Number(range.from.slice(0, 4))
  const vacation = useLive(useMemo(() => saldo.account.vacation(year), [saldo, year]))
  return {
    form,
    problem: absenceProblemOf(form),
    plan,
    /** The work on the days that are entered. */
    workedMs: workedOn(record ? [form.from] : (plan?.days ?? []).map(({ date }) => date), records ?? [], timeline),
    ...absencePreview(records, made, { timeline, today, balanceMs, vacation }),
    canSave: made.length > 0,
    change,
    save() {
      const message = record ? t('entries.changed') : t('calendar.entered', { count: made.length })
      void closeAndSave(onDone, () => make(made, message), { ...edited, form })
    },
  }
}
