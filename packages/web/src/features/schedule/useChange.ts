import { contentOf, type Settings, type SettingsContent } from '@saldo/core'
import { useMemo } from 'react'
import { useFormat } from '../../context/FormatProvider.tsx'
import { browserZone } from '../../domain/work-hours/browser-zone.ts'
import { useDraft } from '../../ui/useDraft.ts'
import { changeOf, newDraft, rowOf } from './change.ts'
import { usePreview } from './usePreview.ts'
import { type Schedule, useScheduleVerbs } from './useSchedule.ts'
import { zoneMeaning } from './zone-meaning.ts'

/** A change that is being written, what it would do, and how it is saved. */
export function useChange(schedule: Schedule, edited: Settings | undefined, onDone: () => void) {
  const { locale } = useFormat()
  const verbs = useScheduleVerbs()
  const { records, today } = schedule
  const [draft, changeDraft] = useDraft<SettingsContent>(() =>
    edited ? contentOf(edited) : newDraft(records, { today, zone: browserZone(), locale }),
  )
  const { problem, change, row } = useMemo(() => {
    const made = changeOf(draft, edited, records)
    return made.ok ? { change: made.change, row: rowOf(made.change) } : { problem: made.problem }
  }, [draft, edited, records])
  return {
    draft,
    problem,
    weeks: usePreview(row),
    zone: useMemo(() => row && zoneMeaning(row, records, today), [row, records, today]),
    /** Whether a row that is there gets other content, though nobody chose it. */
    isReplacing: !edited && change?.replaced !== undefined,
    change: changeDraft,
    save() {
      if (!change) return
      onDone()
      void verbs.save(change)
    },
  }
}
