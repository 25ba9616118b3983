import { Button } from '@mantine/core'
import { clockText, runsTooLong, type TimedRecord, typedEnd, wallAt } from '@saldo/client/entries'
import { useEntries } from '@saldo/client/react'
import { epochMs, instantOf, type LocalDate, MINUTE_MS } from '@saldo/core'
import { useState } from 'react'
import { useNow } from '../../context/clock.ts'
import { useFormat } from '../../context/FormatProvider.tsx'
import { daysAround } from '../../domain/date-ranges.ts'
import { likelyEnd, needsEnd } from '../../domain/entries/entries-model.ts'
import type { Day } from '../../domain/entries/useDay.ts'
import { useEntryActions } from '../../domain/entries/useEntryActions.ts'
import { TimeInput } from '../../domain/TimeInput.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { DateInput } from '../../ui/DateInput.tsx'
import { Notice } from '../../ui/Notice.tsx'
import classes from './ForgottenTimer.module.css'

/** Asks for the end of a timer that runs implausibly long. */
export default function ForgottenTimer({ day, forgotten }: { day: Day; forgotten: TimedRecord }) {
  const { t } = useTranslation()
  const format = useFormat()
  const nowMs = useNow(MINUTE_MS)
  const { make } = useEntryActions()
  const [text, setText] = useState('')
  const [kept, setKept] = useState<string>()
  const [chosenDate, setChosenDate] = useState<LocalDate>()
  const startMs = epochMs(forgotten.started_at)
  const start = wallAt(startMs, day.zone)
  // It may have begun days ago, and `day` has only the entries around today.
  const there = useEntries(daysAround(start.date))
  if (!needsEnd(forgotten, kept, nowMs) || !there) return null

  const endAt = (ms: number) =>
    void make([{ op: 'update', record: forgotten, patch: { ended_at: instantOf(ms) } }], t('today.forgotten.ended'))
  const isTooLong = runsTooLong(forgotten, nowMs)
  const { endDate, endMs } = typedEnd(text, chosenDate, startMs, nowMs, day.zone)
  const entries = there.map(({ record }) => record)
  const likely = likelyEnd(forgotten, entries, day.timeline, nowMs)
  const since = `${format.date(start.date, 'short')}, ${format.time(startMs, day.zone)}`
  return (
    <Notice
      actions={
        <>
          {likely !== undefined && (
            <Button size="compact-md" variant="default" onClick={() => endAt(likely)}>
              {t('today.forgotten.likely', { time: format.time(likely, day.zone) })}
            </Button>
          )}
          <form
            className={classes.own}
            onSubmit={(event) => {
              event.preventDefault()
              if (endMs !== undefined) endAt(endMs)
            }}
          >
            <DateInput size="xs" aria-label={t('today.forgotten.day')} value={endDate} onChange={setChosenDate} />
            <TimeInput
              size="xs"
              aria-label={t('today.forgotten.when')}
              value={text}
              onChange={setText}
              {...(endDate === start.date && { start: clockText(start.minutes) })}
            />
            <Button type="submit" size="compact-md" variant="default" disabled={endMs === undefined}>
              {t('today.forgotten.end')}
            </Button>
          </form>
          {!isTooLong && (
            <Button size="compact-md" variant="default" onClick={() => setKept(forgotten.id)}>
              {t(`today.forgotten.keep.${forgotten.kind}`)}
            </Button>
          )}
        </>
      }
    >
      {t(`today.forgotten.why.${forgotten.kind}`, { since, length: format.age(nowMs - startMs) })}
      {isTooLong && ` ${t('today.forgotten.tooLong')}`}
    </Notice>
  )
}
