import type { DateRange, Settings, Timeline } from '@saldo/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaldo } from '../../../context/saldo.tsx'
import { useLive } from '../../../context/useLive.ts'
import type { Change } from '../../../domain/entries/changes.ts'
import type { AbsenceRecord } from '../../../domain/entries/parts.ts'
import { useEntryVerbs } from '../../../domain/entries/useEntryVerbs.ts'
import { useDraft } from '../../../ui/useDraft.ts'
import { absencesOf } from '../calendar-days.ts'
import { type AbsenceDraft, absenceContent, planAbsence, problemOf, rangeOfDraft } from './plan.ts'

/** What is about to be entered, or changed. */
export interface AbsenceIntent {
  /** The absence that is changed. */
  record?: AbsenceRecord
  range: DateRange
}

/** An absence that is being written, what it would enter, and how it is entered. */
export function useAbsence({ record, range }: AbsenceIntent, timeline: Timeline<Settings>, onDone: () => void) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const { make } = useEntryVerbs()
  const [draft, change] = useDraft<AbsenceDraft>(() => ({
    kind: record?.kind ?? 'vacation',
    ...range,
    share: record?.day_share ?? 1,
    isSkippingFree: range.from !== range.to,
    note: record?.note ?? '',
  }))
  const { from, to } = rangeOfDraft(draft)
  const rows = useLive(useMemo(() => saldo.entries.between({ from, to }), [saldo, from, to]))
  const problem = problemOf(draft)
  const plan = useMemo(
    () =>
      rows &&
      planAbsence(
        draft,
        timeline,
        absencesOf(rows).map((row) => row.record),
      ),
    [draft, timeline, rows],
  )

  function changesOf(): Change[] {
    if (record) {
      const { kind, from: date, share, note } = draft
      return [{ op: 'update', record, patch: { kind, date, day_share: share, note } }]
    }
    return (plan?.days ?? []).map((day) => ({ op: 'create', content: absenceContent(draft, day) }))
  }

  return {
    draft,
    problem,
    plan,
    isPossible: problem === undefined && (record !== undefined || (plan !== undefined && plan.days.length > 0)),
    change,
    save() {
      const changes = changesOf()
      onDone()
      void make(changes, record ? t('entries.changed') : t('calendar.entered', { count: changes.length }))
    },
  }
}
