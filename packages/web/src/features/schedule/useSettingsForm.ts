import { contentOf, type Settings, type SettingsContent } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { browserZone } from '../../domain/work-hours/browser-zone.ts'
import { useDraft } from '../../ui/useDraft.ts'
import { changeOf, newDraft, rowOf } from './settings-change.ts'
import { type Schedule, useScheduleActions } from './useSchedule.ts'
import { useSettingsPreview } from './useSettingsPreview.ts'
import { zoneChangeOf } from './zone-change.ts'

/** Holds the draft of a settings row, its problem or its effects, and saves it. */
export function useSettingsForm({ records, today }: Schedule, edited: Settings | undefined, onDone: () => void) {
  const { locale } = useFormat()
  const actions = useScheduleActions()
  const [draft, change] = useDraft<SettingsContent>(() =>
    edited ? contentOf(edited) : newDraft(records, { today, zone: browserZone(), locale }),
  )
  const result = changeOf(draft, edited, records)
  const row = result.ok ? rowOf(result.change) : undefined
  return {
    draft,
    change,
    problem: result.ok ? undefined : result.problem,
    preview: useSettingsPreview(row),
    zoneChange: row && zoneChangeOf(row, records, today),
    /** True if a new row takes the place of another one. */
    isReplacing: !edited && result.ok && result.change.replaced !== undefined,
    save() {
      if (!result.ok) return
      onDone()
      void actions.save(result.change)
    },
  }
}
