import { Chip, Group, Text } from '@mantine/core'
import { addDays, DAY_MS, type DurationMs } from '@saldo/core'
import { useState } from 'react'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { DurationInput } from '../../ui/NumberInputs.tsx'
import classes from './WeekHours.module.css'
import { isEven, spreadWeek, weekTotal, workdaysOf } from './work-hours-model.ts'

const SOME_MONDAY = '2026-01-05'

interface Props {
  label: string
  /** Seven targets, Monday first. */
  targetMs: readonly DurationMs[]
  onChange: (targetMs: DurationMs[]) => void
}

/** The hours of a week as one number, which is spread over the working days, or of each day by hand. */
export function WeekHours({ label, targetMs, onChange }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isOpen] = useState(() => !isEven(targetMs))
  const totalMs = weekTotal(targetMs)
  const workdays = workdaysOf(targetMs)
  const longestMs = Math.max(...targetMs)
  return (
    <fieldset className={classes.hours}>
      <legend className="visually-hidden">{label}</legend>
      <DurationInput
        label={t('workHours.total')}
        className={classes.total}
        valueMs={totalMs}
        maxMs={workdays.filter(Boolean).length * DAY_MS}
        tooLong={t('workHours.mostADay')}
        onChangeMs={(ms) => onChange(spreadWeek(ms, workdays))}
      />
      <Group gap="xs" role="group" aria-label={t('workHours.workdays')}>
        {targetMs.map((ms, day) => (
          <Chip
            key={addDays(SOME_MONDAY, day)}
            checked={ms > 0}
            onChange={(isOn) => onChange(spreadWeek(totalMs, workdays.with(day, isOn)))}
          >
            <span aria-hidden>{format.date(addDays(SOME_MONDAY, day), 'weekdayShort')}</span>
            <span className="visually-hidden">{format.date(addDays(SOME_MONDAY, day), 'weekday')}</span>
          </Chip>
        ))}
      </Group>
      <Text size="sm" c="dimmed" aria-live="polite">
        {totalMs > 0 && isEven(targetMs) && t('workHours.each', { time: format.duration(longestMs) })}
      </Text>
      <details open={isOpen}>
        <summary className={classes.summary}>{t('workHours.perDay')}</summary>
        <div className={classes.days}>
          {targetMs.map((ms, day) => (
            <DurationInput
              key={addDays(SOME_MONDAY, day)}
              label={format.date(addDays(SOME_MONDAY, day), 'weekdayShort')}
              aria-label={format.date(addDays(SOME_MONDAY, day), 'weekday')}
              valueMs={ms}
              onChangeMs={(changed) => onChange(targetMs.with(day, changed))}
            />
          ))}
        </div>
      </details>
    </fieldset>
  )
}
