import { Button, Kbd } from '@mantine/core'
import { wallAt } from '@saldo/client/entries'
import { SECOND_MS } from '@saldo/core'
import { type MouseEvent, memo } from 'react'
import { useNow } from '../../context/clock.ts'
import { useFormat } from '../../context/FormatProvider.tsx'
import { usePreferences } from '../../context/preferences.ts'
import { type Day, figuresAt } from '../../domain/entries/useDay.ts'
import type { DayTimer } from '../../domain/entries/useDayTimer.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { IconCoffee, IconPlayerPlayFilled, IconPlayerStopFilled } from '../../ui/icons.ts'
import { useShortcuts } from '../../ui/useShortcuts.ts'
import { DayOutcome } from './DayOutcome.tsx'
import { Ring } from './Ring.tsx'
import classes from './TimerPanel.module.css'
import { TimerStart } from './TimerStart.tsx'
import { timerKeys } from './today-model.ts'

/** The ring, the result of the day and, for today, the buttons of the timer. */
export function TimerPanel({ day, timer }: { day: Day; timer: DayTimer }) {
  return (
    <section className={classes.panel}>
      <Figures day={day} />
      {day.date === day.today && <TimerControls day={day} timer={timer} />}
    </section>
  )
}

const Figures = memo(function Figures({ day }: { day: Day }) {
  const figures = figuresAt(day, useNow(SECOND_MS))
  return (
    <>
      <Ring figures={figures} isToday={day.date === day.today} />
      <DayOutcome day={day} figures={figures} />
    </>
  )
})

/** After the first click of a double click, another button can lie under the pointer: it was not meant. */
function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail > 1) event.stopPropagation()
}

function TimerControls({ day, timer }: { day: Day; timer: DayTimer }) {
  const { t } = useTranslation()
  const { state, press } = timer
  return (
    <div className={classes.timer} onClickCapture={ignoreSecondClick}>
      {state.kind === 'idle' ? (
        <TimerStart day={day} press={press} keyLabel={<KeyLabel name="S" />} />
      ) : (
        <TimerButtons day={day} timer={timer} />
      )}
      <p className="visually-hidden" role="status">
        {state.kind !== 'idle' && t(`today.timer.state.${state.kind}`)}
      </p>
    </div>
  )
}

function TimerButtons({ day, timer }: { day: Day; timer: DayTimer }) {
  const { t } = useTranslation()
  const { state, press } = timer
  const keys = timerKeys(state.kind)
  useShortcuts({ [keys.main]: () => press(timer.main), [keys.other]: () => press(timer.other) })
  const isRunning = state.kind === 'working'
  return (
    <>
      <Running timer={timer} day={day} />
      <div className={classes.buttons} data-kind={state.kind}>
        <Button
          size="md"
          variant={isRunning ? 'default' : 'filled'}
          leftSection={isRunning ? <IconPlayerStopFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
          rightSection={<KeyLabel name={keys.main} />}
          onClick={() => press(timer.main)}
        >
          {t(`today.timer.${state.kind === 'break' ? 'resume' : timer.main}`)}
        </Button>
        <Button
          size="md"
          variant="default"
          leftSection={
            state.kind === 'break' ? <IconPlayerStopFilled size={18} /> : <IconCoffee size={18} stroke={1.75} />
          }
          rightSection={<KeyLabel name={keys.other} />}
          onClick={() => press(timer.other)}
        >
          {t(`today.timer.${timer.other}`)}
        </Button>
      </div>
    </>
  )
}

function Running({ timer: { state }, day }: { timer: DayTimer; day: Day }) {
  const { t } = useTranslation()
  const format = useFormat()
  const nowMs = useNow(SECOND_MS)
  if (state.kind === 'idle') return null
  const startMs = Date.parse(state.entry.started_at)
  const { date } = wallAt(startMs, day.zone)
  const clock = format.time(startMs, day.zone)
  const time = date === day.date ? clock : `${format.date(date, 'short')}, ${clock}`
  return (
    <div className={classes.running} data-kind={state.kind}>
      <span className={classes.dot} aria-hidden />
      <span className={classes.stopwatch} role="timer">
        {format.stopwatch(nowMs - startMs)}
      </span>
      <span className={classes.since}>
        {t(`today.timer.since.${state.kind}`, { time })}
        {state.entry.project !== null && <strong> {state.entry.project}</strong>}
      </span>
    </div>
  )
}

function KeyLabel({ name }: { name: string }) {
  const { shortcuts } = usePreferences()
  return shortcuts ? (
    <Kbd size="xs" className={classes.key} aria-hidden>
      {name}
    </Kbd>
  ) : null
}
