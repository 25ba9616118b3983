import { Anchor } from '@mantine/core'
import { stoppedAt, timerState } from '@saldo/client/entries'
import { useLive, useSaldo } from '@saldo/client/react'
import { type DayFigures, HOUR_MS, MINUTE_MS } from '@saldo/core'
import { useMemo } from 'react'
import { useNow } from '../../context/clock.ts'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useCurrentBalance, useTimeline } from '../../domain/account/TimelineProvider.tsx'
import { leaveTime } from '../../domain/entries/leave-time.ts'
import { type Day, runningBeforeMs, takenBreaksMs } from '../../domain/entries/useDay.ts'
import { useChangePreferences } from '../../domain/profile/useProfile.ts'
import { useTranslation } from '../../i18n/translation.ts'
import classes from './DayOutcome.module.css'
import { hasUntakenBreak, longestDayAhead } from './today-model.ts'

interface Props {
  day: Day
  figures: DayFigures
}

/**
 * The result of a day: for today the time to leave and the balance then, for earlier days the delta, for later ones the
 * target.
 */
export function DayOutcome({ day, figures }: Props) {
  if (!day.counts) return <OutsideAccount />
  return (
    <div className={classes.outcome}>
      {day.date === day.today ? <Leaving day={day} figures={figures} /> : <OtherDay day={day} figures={figures} />}
      {day.date === day.today && <LongestDayAhead day={day} />}
      <Deductions day={day} figures={figures} />
    </div>
  )
}

function Leaving({ day, figures }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const nowMs = useNow(MINUTE_MS)
  const balance = useCurrentBalance()
  const { counts } = useTimeline()
  const runningMs = useMemo(() => runningBeforeMs(day, counts, nowMs), [day, counts, nowMs])
  const leave = useMemo(() => leaveTime(day.entries, day.timeline, day.date, nowMs), [day, nowMs])
  if (balance === undefined) return null
  const isOnBreak = timerState(day.timed.map(({ record }) => record)).kind === 'break'
  const balanceWith = (deltaMs: number) => format.delta(balance + runningMs + deltaMs)
  if (leave?.kind === 'at') {
    return (
      <Headline
        label={t(leave.isWorking ? 'today.leave.label' : isOnBreak ? 'today.leave.ifResumed' : 'today.leave.ifStarted')}
        figure={format.time(leave.atMs, day.zone)}
        note={t('today.leave.balance', { balance: balanceWith(leave.deltaMs) })}
      />
    )
  }
  return (
    <Headline
      label={t(`today.leave.${leave?.kind ?? 'free'}`)}
      figure={format.delta(figures.delta_ms)}
      note={t('today.leave.balanceNow', { balance: balanceWith(figures.delta_ms) })}
    />
  )
}

function LongestDayAhead({ day }: { day: Day }) {
  const { t } = useTranslation()
  const format = useFormat()
  const reached = longestDayAhead(day, useNow(MINUTE_MS))
  if (!reached) return null
  const limit = format.number(reached.limitMs / HOUR_MS)
  return (
    <p className={classes.note}>{t('workHours.hint.reached', { limit, at: format.time(reached.atMs, day.zone) })}</p>
  )
}

/** A day that is over adds its delta; of a day ahead only the target is known. */
function OtherDay({ day, figures }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  if (day.date > day.today) {
    return <Headline label={t('today.dayTarget')} figure={format.duration(figures.target_ms)} />
  }
  return <Headline label={t('today.dayDelta')} figure={format.delta(figures.delta_ms)} />
}

function Headline({ label, figure, note }: { label: string; figure: string; note?: string }) {
  return (
    <div>
      <p className={classes.label}>{label}</p>
      <p className={classes.figure}>{figure}</p>
      {note && <p className={classes.note}>{note}</p>}
    </div>
  )
}

/** Breaks, deductions and credits that the figure includes. */
function Deductions({ day, figures }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const nowMs = useNow(MINUTE_MS)
  const { deducted_break_ms, credited_ms } = figures
  const breaksMs = takenBreaksMs(stoppedAt(day.entries, nowMs), day.window)
  const parts = [
    breaksMs > 0 && t('today.parts.break', { time: format.duration(breaksMs) }),
    deducted_break_ms > 0 && t('today.parts.deducted', { time: format.duration(deducted_break_ms) }),
    credited_ms > 0 && t('today.parts.credited', { time: format.duration(credited_ms) }),
  ].filter((part) => part !== false)
  if (parts.length === 0) return null
  const isUntaken = deducted_break_ms > 0 && hasUntakenBreak(day.entries, day.window, day.date < day.today)
  return (
    <>
      <p className={classes.note}>{parts.join(' · ')}</p>
      {isUntaken && <p className={classes.note}>{t('today.untakenBreak')}</p>}
    </>
  )
}

function OutsideAccount() {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const change = useChangePreferences()
  const settings = useLive(useMemo(() => saldo.settings.all(), [saldo]))
  if (!settings) return null
  if (settings.length > 0) return <p className={classes.note}>{t('today.beforeAccount')}</p>
  const ask = () => change({ first_run: 'ask' })
  return (
    <p className={classes.note}>
      {t('today.noHours')}{' '}
      <Anchor component="button" type="button" fw={600} onClick={ask}>
        {t('today.tellHours')}
      </Anchor>
    </p>
  )
}
