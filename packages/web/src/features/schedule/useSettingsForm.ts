import type { Saldo, SettingsPreview } from '@saldo/client'
import { useSaldo } from '@saldo/client/react'
import { contentOf, type Settings, type SettingsContent } from '@saldo/core'
import { useEffect, useState } from 'react'
import { useFormat } from '../../context/FormatProvider.tsx'
import { browserZone } from '../../domain/work-hours/work-hours-model.ts'
import { closeAndSave, type OnDone } from '../../ui/useEditor.ts'
import { useForm } from '../../ui/useForm.ts'
import { zoneChangeOf } from './schedule-model.ts'
import { newSettings, settingsChangeOf, settingsRowOf } from './settings-change.ts'
import { type Schedule, useScheduleActions } from './useSchedule.ts'

const DEBOUNCE_MS = 250

/** Previews a row with the holidays that it brings or ends. The library of holidays loads for it. */
async function previewWithHolidays(saldo: Saldo, row: Settings): Promise<SettingsPreview> {
  const { knownDays } = await import('@saldo/core/public-holidays')
  return saldo.account.preview(row, knownDays)
}

/** Returns the effect of a settings row on the balance; `undefined` while it is computed. */
export function useSettingsPreview(row: Settings | undefined): SettingsPreview | undefined {
  const saldo = useSaldo()
  // Rows are compared by content: each render may make a new object.
  const key = row && JSON.stringify(row)
  const [computed, setComputed] = useState<{ key: string; preview: SettingsPreview }>()
  const [failure, setFailure] = useState<{ error: unknown }>()
  useEffect(() => {
    if (key === undefined) return undefined
    let isCurrent = true
    const timer = setTimeout(() => {
      previewWithHolidays(saldo, JSON.parse(key) as Settings).then(
        (preview) => isCurrent && setComputed({ key, preview }),
        (error) => isCurrent && setFailure({ error }),
      )
    }, DEBOUNCE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [saldo, key])
  if (failure) throw failure.error
  return computed && computed.key === key ? computed.preview : undefined
}

/** A new settings row, or a stored one; `form` is input that could not be saved. */
export type EditedSettings = { form?: SettingsContent } & ({ kind: 'add' } | { kind: 'edit'; record: Settings })

/** Holds the form of a settings row, its problem or its effects, and saves it. */
export function useSettingsForm({ records, today }: Schedule, edited: EditedSettings, onDone: OnDone<EditedSettings>) {
  const record = edited.kind === 'edit' ? edited.record : undefined
  const { locale } = useFormat()
  const actions = useScheduleActions()
  const [form, change] = useForm<SettingsContent>(
    () => edited.form ?? (record ? contentOf(record) : newSettings(records, { today, zone: browserZone(), locale })),
  )
  const result = settingsChangeOf(form, record, records)
  const row = result.ok ? settingsRowOf(result.change) : undefined
  return {
    form,
    change,
    problem: result.ok ? undefined : result.problem,
    preview: useSettingsPreview(row),
    zoneChange: row && zoneChangeOf(row, records, today),
    /** True if a new row takes the place of another one. */
    isReplacing: !record && result.ok && result.change.replaced !== undefined,
    save() {
      if (!result.ok) return
      void closeAndSave(onDone, () => actions.save(result.change), { ...edited, form })
    },
  }
}
