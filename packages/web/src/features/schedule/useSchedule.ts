import { systemRandom } from '@saldo/client'
import { shownTimeline } from '@saldo/client/entries'
import { useLive, useSaldo } from '@saldo/client/react'
import { dateAt, MINUTE_MS, type Settings } from '@saldo/core'
import { useMemo } from 'react'
import { useNow } from '../../context/clock.ts'
import { useFormat } from '../../context/FormatProvider.tsx'
import { undoableDeletion, undoableSaving } from '../../domain/undoable-writes.ts'
import { browserZone } from '../../domain/work-hours/work-hours-model.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { useAct } from '../../ui/feedback/useAct.tsx'
import { periodsOf } from './periods.ts'
import type { SettingsChange } from './settings-change.ts'

/** Returns the settings over time; `undefined` while they load. */
export function useSchedule() {
  const saldo = useSaldo()
  const nowMs = useNow(MINUTE_MS)
  const rows = useLive(useMemo(() => saldo.settings.all(), [saldo]))
  if (!rows) return undefined
  const records = rows.map(({ record }) => record)
  const today = dateAt(shownTimeline(records, browserZone()).timeline, nowMs)
  const pendingIds = new Set(rows.filter(({ pending }) => pending).map(({ record }) => record.id))
  return { records, today, periods: periodsOf(records, today), pendingIds }
}

export type Schedule = NonNullable<ReturnType<typeof useSchedule>>

/** Returns functions that save and delete settings rows, with undo. */
export function useScheduleActions() {
  const { t } = useTranslation()
  const { settings } = useSaldo()
  const { actWithUndo } = useAct()
  const format = useFormat()
  return {
    save({ content, replaced }: SettingsChange): Promise<boolean> {
      const saving = undoableSaving(settings, replaced, content, systemRandom.uuid)
      return actWithUndo(saving, t('schedule.saved', { date: format.date(content.effective_from, 'medium') }))
    },
    remove(record: Settings): Promise<boolean> {
      return actWithUndo(undoableDeletion(settings, record), t('schedule.deleted'))
    },
  }
}
