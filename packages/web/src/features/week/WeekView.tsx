import { SegmentedControl } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { useDays, useEntries, useLive, useSaldo } from '@saldo/client/react'
import { type IsoWeek, isWeek, MINUTE_MS, type WeekHint, weekHint, weekOf } from '@saldo/core'
import { useMemo } from 'react'
import { useParams } from 'wouter'
import { useNow } from '../../context/clock.ts'
import { useTimeline, useToday } from '../../domain/account/TimelineProvider.tsx'
import { widened } from '../../domain/date-ranges.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { NotFound } from '../../ui/ViewHeader.tsx'
import { Closing } from './Closing.tsx'
import { DaysTable } from './DaysTable.tsx'
import { lawOfWeek, rangeOfWeek, shownWeek, type Week, workedByWeek } from './shown-week.ts'
import { Timesheet } from './timesheet/Timesheet.tsx'
import { WeekHeader } from './WeekHeader.tsx'
import { WeekOutcome } from './WeekOutcome.tsx'
import classes from './WeekView.module.css'

/** Returns a week for display; `undefined` while it loads. */
function useWeek(week: IsoWeek): Week | undefined {
  const saldo = useSaldo()
  const { timeline } = useTimeline()
  const nowMs = useNow(MINUTE_MS)
  const today = useToday()
  const range = rangeOfWeek(week)
  const forecast = useDays(range)
  // Includes the days around it: before there are settings, the client may cut days by another zone.
  const rows = useEntries(widened(range, 1))
  const closedWeeks = useLive(useMemo(() => saldo.account.closedWeeks(), [saldo]))
  const longWeeks = useLongWeeks(week)
  if (!forecast || !rows || !closedWeeks) return undefined
  return shownWeek(week, { forecast, rows, closedWeeks, longWeeks }, timeline, today, nowMs)
}

/** Returns the hint of a week whose work is too long on average; `undefined` while it loads or without hints. */
function useLongWeeks(week: IsoWeek): WeekHint | undefined {
  const { timeline } = useTimeline()
  const law = lawOfWeek(week, timeline)
  const days = useDays(law?.weeks)
  return law && days && weekHint(law.country, workedByWeek(days))
}

const SHOWN = 'saldo.week.shown'

/** The week of the address, by default the current one. */
export default function WeekView() {
  const { week } = useParams<{ week?: string }>()
  const thisWeek = weekOf(useToday())
  if (week !== undefined && !isWeek(week)) return <NotFound />
  return <OneWeek shown={week ?? thisWeek} thisWeek={thisWeek} />
}

/** Shows a week as days or as a timesheet, and closes it. */
function OneWeek({ shown, thisWeek }: { shown: IsoWeek; thisWeek: IsoWeek }) {
  const week = useWeek(shown)
  return (
    <div className={classes.view}>
      <WeekHeader week={shown} thisWeek={thisWeek} isClosed={week?.closed !== undefined} />
      {week && <WeekBody key={shown} week={week} />}
    </div>
  )
}

function WeekBody({ week }: { week: Week }) {
  const { t } = useTranslation()
  const [shown, setShown] = useSessionStorage({ key: SHOWN, defaultValue: 'days', getInitialValueInEffect: false })
  return (
    <>
      <WeekOutcome sums={week.sums} />
      <SegmentedControl
        className={classes.shown ?? ''}
        aria-label={t('week.shownAs')}
        value={shown}
        onChange={setShown}
        data={[
          { value: 'days', label: t('week.asDays') },
          { value: 'timesheet', label: t('week.asTimesheet') },
        ]}
      />
      {shown === 'days' ? <DaysTable week={week} /> : <Timesheet key={week.week} week={week} />}
      <Closing week={week} />
    </>
  )
}
