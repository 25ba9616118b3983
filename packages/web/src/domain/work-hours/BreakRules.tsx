import { Radio, Stack } from '@mantine/core'
import { useTranslation } from '../../i18n/translation.ts'
import { type BreakPreset, breakPresets } from './work-hours-model.ts'

const names = Object.keys(breakPresets) as BreakPreset[]

interface Props {
  value: BreakPreset | undefined
  onChange: (preset: BreakPreset) => void
}

/** A choice of break rules with a summary of each. */
export function BreakRules({ value, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <Radio.Group label={t('workHours.breaks.label')} value={value ?? null} onChange={(chosen) => onChange(chosen)}>
      <Stack gap="sm" mt="xs">
        {names.map((name) => (
          <Radio
            key={name}
            value={name}
            label={t(`workHours.breaks.${name}.name`)}
            description={t(`workHours.breaks.${name}.rule`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
