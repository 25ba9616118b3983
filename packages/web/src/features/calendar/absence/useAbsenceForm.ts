import { systemRandom } from '@saldo/client'
import {
  type AbsenceForm,
  type AbsenceRecord,
  absenceChanges,
  absenceFormOf,
  absenceProblemOf,
  checkedRange,
  type EntryMutation,
  planAbsence,
} from '@saldo/client/entries'
import { useEntries, useLive, useSaldo } from '@saldo/client/react'
import {
  contentOf,
  type DateRange,
  type Entry,
  type Instant,
  type RequestContent,
  type Settings,
  type Timeline,
} from '@saldo/core'
import { useMemo, useState } from 'react'
import { clock } from '../../../context/clock.ts'
import { useCurrentBalance, useToday } from '../../../domain/account/TimelineProvider.tsx'
import { useEntryActions } from '../../../domain/entries/useEntryActions.ts'
import { type Asking, isAskedFor, requestOfAbsence, requestOfChange } from '../../../domain/team/requests.ts'
import { useTeam } from '../../../domain/team/TeamProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
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
  const { team } = useTeam()
  const [asking, setAsking] = useState<Asking>({ isPlanned: false, substitute: null })
  const hasOtherDays = record && made.some((change) => change.op === 'update' && changesDays(record, change.patch))
  const isAsking = isAskedFor(team, form.kind, today)
  const isChangeAsked = hasOtherDays && (isAsking || isAskedFor(team, record.kind, today))
  const request = (): RequestContent | undefined => {
    if (made.length === 0) return undefined
    if (!record) return isAsking ? requestOfAbsence(form, asking) : undefined
    if (!isChangeAsked) return undefined
    const { kind, from: date, size, note } = form
    const content = { ...contentOf(record), kind, date, ...size, note }
    const updatedAt = new Date(clock.now()).toISOString() as Instant
    return requestOfChange({ kind: 'entries', id: record.id, content, updatedAt, seq: 1 }, record, today, note)
  }
  const save = (changes: readonly EntryMutation[], message: string) =>
    void closeAndSave(onDone, async () => (await make(changes, message)) !== 'failed', { ...edited, form })
  return {
    form,
    /** The further fields of a request; `undefined` if the absence is entered. */
    asking: !record && isAsking ? asking : undefined,
    setAsking,
    /** True if saving asks for approval in place of entering. */
    isAsked: record ? isChangeAsked === true : isAsking,
    request,
    today,
    problem: absenceProblemOf(form),
    plan,
    /** The work on the days that are entered. */
    workedMs: workedOn(record ? [form.from] : (plan?.days ?? []).map(({ date }) => date), records ?? [], timeline),
    ...absencePreview(records, made, { timeline, today, balanceMs, vacation }),
    canSave: made.length > 0,
    change,
    save() {
      const content = request()
      if (content) {
        const id = systemRandom.uuid()
        save([{ op: 'create', content, id }], t('team.ask.asked'))
        return
      }
      const message = record ? t('entries.changed') : t('calendar.entered', { count: made.length })
      save(made, message)
    },
  }
}

/** True if an edit changes more than texts: those are the user's own matter (D26.9). */
function changesDays(record: AbsenceRecord, patch: Partial<Entry>): boolean {
  const { kind, date, day_share, amount_ms } = { ...record, ...patch } as AbsenceRecord
  const isSame = kind === record.kind && date === record.date
  return !isSame || day_share !== record.day_share || amount_ms !== record.amount_ms
}
