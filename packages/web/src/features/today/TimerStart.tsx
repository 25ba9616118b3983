import { Button } from '@mantine/core'
import { readSubject, subjectText } from '@saldo/client/entries'
import { entryLimits } from '@saldo/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { clock } from '../../context/clock.ts'
import { useKeptText } from '../../context/useKeptText.ts'
import { timerOptions } from '../../domain/entries/entries-model.ts'
import { useKnownNames, useRecentWork } from '../../domain/entries/known-names.ts'
import type { Day } from '../../domain/entries/useDay.ts'
import type { DayTimer } from '../../domain/entries/useDayTimer.ts'
import { TimeInput } from '../../domain/TimeInput.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { IconPlayerPlayFilled } from '../../ui/icons.ts'
import { useShortcuts } from '../../ui/useShortcuts.ts'
import { SubjectField } from './SubjectField.tsx'
import classes from './TimerPanel.module.css'
import { typedStart } from './today-model.ts'

const MOST_OPTIONS = 8

interface Props {
  day: Day
  press: DayTimer['press']
  keyLabel: ReactNode
}

/** Starts the timer with what the user works on, now or at an earlier time of today. */
export function TimerStart({ day, press, keyLabel }: Props) {
  const { t } = useTranslation()
  const recent = useRecentWork()
  const { projects } = useKnownNames()
  const [line, setLine] = useKeptText('timer')
  const [startTime, setStartTime] = useState('')
  const [isAhead, setAhead] = useState(false)
  const start = () => {
    const { startMs, isAhead } = typedStart(startTime, day, clock.now())
    setAhead(isAhead)
    if (isAhead) return
    press('start', readSubject(line, recent, projects), startMs)
    setLine('')
  }
  useShortcuts({ S: start })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start()
  }
  return (
    <form className={classes.start} onSubmit={submit}>
      <SubjectField
        aria-label={t('today.timer.subject')}
        placeholder={t('today.timer.subject')}
        options={timerOptions(line, projects, recent.map(subjectText)).slice(0, MOST_OPTIONS)}
        maxLength={entryLimits.projectLength}
        value={line}
        onChange={setLine}
        onOptionSubmit={(option) => option === line.trim() && start()}
      />
      <div className={classes.buttons}>
        <TimeInput
          aria-label={t('today.timer.startedAt')}
          placeholder={t('today.timer.startedNow')}
          className={classes.startedAt ?? ''}
          error={isAhead && t('today.timer.ahead')}
          value={startTime}
          isPast
          onChange={(time) => {
            setStartTime(time)
            setAhead(false)
          }}
        />
        <Button type="submit" size="md" leftSection={<IconPlayerPlayFilled size={18} />} rightSection={keyLabel}>
          {t('today.timer.start')}
        </Button>
      </div>
    </form>
  )
}
