import { systemRandom } from '@saldo/client'
import { contentOf, dateAt, MINUTE_MS, type Settings } from '@saldo/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../context/clock.tsx'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useSaldo } from '../../context/saldo.tsx'
import { useLive } from '../../context/useLive.ts'
import { shownTimeline } from '../../domain/account/timeline.ts'
import { browserZone } from '../../domain/work-hours/browser-zone.ts'
import { useAct } from '../../ui/feedback/useAct.tsx'
import type { Change } from './change.ts'
import { periodsOf } from './periods.ts'

/** The settings over time; `undefined` until they are read. */
export function useSchedule() {
  const saldo = useSaldo()
  const nowMs = useNow(MINUTE_MS)
  const rows = useLive(useMemo(() => saldo.settings.all(), [saldo]))
  return useMemo(() => {
    if (!rows) return undefined
    const records = rows.map(({ record }) => record)
    const today = dateAt(shownTimeline(records, browserZone()).timeline, nowMs)
    const pendingIds = new Set(rows.filter(({ pending }) => pending).map(({ record }) => record.id))
    return { records, today, periods: periodsOf(records, today), pendingIds }
  }, [rows, nowMs])
}

export type Schedule = NonNullable<ReturnType<typeof useSchedule>>

/** What is done to the settings; all of it can be taken back. */
export function useScheduleVerbs() {
  const { t } = useTranslation()
  const { settings } = useSaldo()
  const { actUndoably } = useAct()
  const format = useFormat()
  return useMemo(
    () => ({
      save({ content, replaced }: Change): Promise<boolean> {
        const message = t('schedule.saved', { date: format.date(content.effective_from, 'medium') })
        if (replaced) {
          const takeBack = () => settings.update(replaced.id, contentOf(replaced))
          return actUndoably(settings.update(replaced.id, content), message, takeBack)
        }
        const id = systemRandom.uuid()
        return actUndoably(settings.create(content, { id }), message, () => settings.delete(id))
      },
      remove(record: Settings): Promise<boolean> {
        const takeBack = () => settings.create(contentOf(record), { id: record.id })
        return actUndoably(settings.delete(record.id), t('schedule.deleted'), takeBack)
      },
    }),
    [settings, actUndoably, t, format],
  )
}
