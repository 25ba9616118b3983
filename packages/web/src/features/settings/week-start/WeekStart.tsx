import { Select } from '@mantine/core'
import { useLive, useSaldo } from '@saldo/client/react'
import { addDays, buildTimeline, dateAt } from '@saldo/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { clock } from '../../../context/clock.ts'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { rowsFrom, weekStartChanges } from '../settings-model.ts'

const SOME_MONDAY = '2026-01-05'
const weekdays = [1, 2, 3, 4, 5, 6, 7] as const

/** The first weekday of calendars. It belongs to the account, so all devices have the same. */
export function WeekStart() {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useSaldo()
  const { act } = useAct()
  const rows = useLive(useMemo(() => settings.all(), [settings]))
  const timeline = buildTimeline((rows ?? []).map(({ record }) => record))
  const today = dateAt(timeline, clock.now())
  const weekday = rowsFrom(timeline, today)[0]?.week_starts_on
  if (weekday === undefined) return null
  const choose = (day: number) => {
    const changes = weekStartChanges(timeline, today, day)
    void act(Promise.all(changes.map(({ id, patch }) => settings.update(id, patch))))
  }
  return (
    <Select
      label={t('settings.look.weekStart')}
      description={t('settings.look.weekStartHelp')}
      data={weekdays.map((day) => ({
        value: String(day),
        label: format.date(addDays(SOME_MONDAY, day - 1), 'weekday'),
      }))}
      value={String(weekday)}
      allowDeselect={false}
      onChange={(chosen) => chosen && choose(Number(chosen))}
    />
  )
}
