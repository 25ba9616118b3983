import { FIRST_EFFECTIVE_DATE, type SettingsContent } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { BreakRules } from '../../../domain/work-hours/BreakRules.tsx'
import { breakPresetOf, breakPresets } from '../../../domain/work-hours/presets.ts'
import { RotationHours } from '../../../domain/work-hours/RotationHours.tsx'
import { ZoneSelect } from '../../../domain/work-hours/ZoneSelect.tsx'
import { DateInput } from '../../../ui/DateInput.tsx'

interface Props {
  settings: SettingsContent
  onChange: (changed: Partial<SettingsContent>) => void
}

export function SettingsFields({ settings, onChange }: Props) {
  const { t } = useTranslation()
  const preset = breakPresetOf(settings.break_policy)
  return (
    <>
      <DateInput
        label={t('sync.field.from')}
        min={FIRST_EFFECTIVE_DATE}
        required
        withAsterisk={false}
        value={settings.effective_from}
        onChange={(value) => value !== '' && onChange({ effective_from: value })}
      />
      <RotationHours
        label={t('sync.field.hours')}
        targetMs={settings.target_ms}
        from={settings.effective_from}
        onChange={(target_ms) => onChange({ target_ms })}
      />
      <ZoneSelect value={settings.time_zone} onChange={(time_zone) => onChange({ time_zone })} />
      {preset && <BreakRules value={preset} onChange={(name) => onChange({ break_policy: breakPresets[name] })} />}
    </>
  )
}
