import { contentOf, type Settings, type SettingsContent } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { browserZone } from '../../domain/work-hours/browser-zone.ts'
import { closeAndSave, type OnDone } from '../../ui/close-and-save.ts'
import { useDraft } from '../../ui/useDraft.ts'
import { zoneChangeOf } from './schedule-model.ts'
import { changeOf, newDraft, rowOf } from './settings-change.ts'
import { type Schedule, useScheduleActions } from './useSchedule.ts'
import { useSettingsPreview } from './useSettingsPreview.ts'

/** A new settings row, or a stored one; `draft` is input that could not be saved. */
export type EditedSettings = { draft?: SettingsContent } & ({ kind: 'add' } | { kind: 'edit'; record: Settings })

/** Holds the draft of a settings row, its problem or its effects, and saves it. */
export function useSettingsForm({ records, today }: Schedule, edited: EditedSettings, onDone: OnDone<EditedSettings>) {
  const record = edited.kind === 'edit' ? edited.record : undefined
  const { locale } = useFormat()
  const actions = useScheduleActions()
  const [draft, change] = useDraft<SettingsContent>(
    () => edited.draft ?? (record ? contentOf(record) : newDraft(records, { today, zone: browserZone(), locale })),
  )
  const result = changeOf(draft, record, records)
  const row = result.ok ? rowOf(result.change) : undefined
  return {
    draft,
    change,
    problem: result.ok ? undefined : result.problem,
    preview: useSettingsPreview(row),
    zoneChange: row && zoneChangeOf(row, records, today),
    /** True if a new row takes the place of another one. */
    isReplacing: !record && result.ok && result.change.replaced !== undefined,
    save() {
      if (!result.ok) return
      void closeAndSave(onDone, () => actions.save(result.change), { ...edited, draft })
    },
  }
}
