import { Stack, Text } from '@mantine/core'
import { useEntries, useLive, useSaldo } from '@saldo/client/react'
import { addDays, dateAt, epochMs, isAbsence, isTimed, mondayOf, weekOf, type ZoneName } from '@saldo/core'
import { useMemo } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { useTimeline, useToday } from '../../account/TimelineProvider.tsx'
import { vacationEffect } from '../absence-effect.ts'
import { WorkOnAbsence } from '../WorkOnAbsence.tsx'
import { changesOfForm, type EditedEntry } from './edited-entry.ts'
import { effectOfEntry } from './entry-effect.ts'
import { type EntryValues, isTimedKind } from './entry-form.ts'

interface Props {
  form: EntryValues
  edited: EditedEntry
  zone: ZoneName
}

/** Says before an entry is saved how long it is, and how it changes its day, a closed week and the vacation left. */
export function EntryEffects({ form, edited, zone }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const saldo = useSaldo()
  const today = useToday()
  const { timeline, counts } = useTimeline()
  const closedWeeks = useLive(useMemo(() => saldo.account.closedWeeks(), [saldo]))
  const year = Number(form.date.slice(0, 4))
  const vacation = useLive(useMemo(() => saldo.account.vacation(year), [saldo, year]))
  const monday = mondayOf(weekOf(form.date))
  const rows = useEntries({ from: addDays(monday, -1), to: addDays(monday, 7) })
  const wanted = changesOfForm(form, edited, zone)
  if (!rows || !closedWeeks || !wanted.ok) return null
  const entries = rows.map(({ record }) => record)
  const { content } = wanted.again
  const date = isTimed(content) ? dateAt(timeline, epochMs(content.started_at)) : content.date
  const effect = effectOfEntry(wanted.changes, entries, { timeline, date, zone }, closedWeeks)
  const { workedMs, clockChangeMs, day, lessDeductedMs, week, absences, otherWorkMs } = effect
  const changeOf = ({ beforeMs, afterMs }: typeof day) => ({
    before: format.delta(beforeMs),
    after: format.delta(afterMs),
  })
  const isRunning = isTimedKind(form.kind) && form.isRunning
  const taken = vacation ? vacationEffect(entries, wanted.changes, timeline, year) : 0
  const sentences = [
    workedMs !== undefined && !isRunning && t('entries.effect.length', { time: format.duration(workedMs) }),
    clockChangeMs !== 0 && t('entries.effect.clock', { time: format.delta(clockChangeMs) }),
    counts(date) &&
      date <= today &&
      !isRunning &&
      day.beforeMs !== day.afterMs &&
      t('entries.effect.day', changeOf(day)),
    lessDeductedMs > 0 && t('entries.effect.gap', { time: format.duration(lessDeductedMs) }),
    week &&
      week.beforeMs !== week.afterMs &&
      t('entries.effect.week', { number: Number(week.week.slice(6)), ...changeOf(week) }),
    vacation && taken !== 0 && t('entries.effect.vacation', { days: format.number(vacation.left - taken) }),
  ].filter((sentence) => typeof sentence === 'string')
  return (
    <Stack gap={4} aria-live="polite">
      {sentences.length > 0 && <Text size="sm">{sentences.join(' ')}</Text>}
      {isTimedKind(form.kind)
        ? form.kind === 'work' && <WorkOnAbsence kinds={absences} />
        : isAbsence(content) &&
          otherWorkMs > 0 &&
          counts(date) && <WorkOnAbsence kinds={[form.kind]} worked={format.duration(otherWorkMs)} />}
    </Stack>
  )
}
