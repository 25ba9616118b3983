import { Chip, Group, Text } from '@mantine/core'
import { addDays } from '@saldo/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { DurationInput } from '../../ui/DurationInput.tsx'
import { type WeekPreset, weekPresetOf, weekPresets } from './presets.ts'
import classes from './WeekHours.module.css'

const SOME_MONDAY = '2026-01-05'
const choices: readonly WeekPreset[] = ['h40', 'h38', 'h35', 'fourDays', 'own']

interface Props {
  label: string
  /** Seven targets, Monday first. */
  targetMs: readonly number[]
  onChange: (targetMs: number[]) => void
}

/** The hours of each weekday, by a preset or by hand. */
export function WeekHours({ label, targetMs, onChange }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isOwn, setOwn] = useState(false)
  const preset = isOwn ? 'own' : weekPresetOf(targetMs)
  const choose = (wanted: WeekPreset) => {
    setOwn(wanted === 'own')
    if (wanted !== 'own') onChange([...weekPresets[wanted]])
  }
  return (
    <fieldset className={classes.hours}>
      <legend className="visually-hidden">{label}</legend>
      <Group gap="xs" role="radiogroup" aria-label={label}>
        {choices.map((choice) => (
          <Chip
            key={choice}
            type="radio"
            name="week-preset"
            checked={preset === choice}
            onChange={() => choose(choice)}
          >
            {t(`workHours.preset.${choice}`)}
          </Chip>
        ))}
      </Group>
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
      <Text size="sm" c="dimmed" aria-live="polite">
        {t('workHours.sum', { sum: format.duration(targetMs.reduce((sum, ms) => sum + ms, 0)) })}
      </Text>
    </fieldset>
  )
}
