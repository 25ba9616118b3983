import { Select, TextInput } from '@mantine/core'
import { type AdjustmentContent, adjustmentKinds, FIRST_EFFECTIVE_DATE, type SettingsContent } from '@saldo/core'
import { MAX_ADJUSTMENT_MS } from '../../../domain/account/account-model.ts'
import { BreakRules } from '../../../domain/work-hours/BreakRules.tsx'
import { RotationHours } from '../../../domain/work-hours/RotationHours.tsx'
import { breakPresetOf, breakPresets, turnedRotation } from '../../../domain/work-hours/work-hours-model.ts'
import { ZoneSelect } from '../../../domain/work-hours/ZoneSelect.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { DateInput } from '../../../ui/DateInput.tsx'
import { DurationInput } from '../../../ui/NumberInputs.tsx'

interface SettingsFieldsProps {
  settings: SettingsContent
  onChange: (changed: Partial<SettingsContent>) => void
}

export function SettingsFields({ settings, onChange }: SettingsFieldsProps) {
  const { t } = useTranslation()
  const preset = breakPresetOf(settings.break_policy)
  return (
    <>
      <DateInput
        label={t('sync.field.from')}
        min={FIRST_EFFECTIVE_DATE}
        required
        value={settings.effective_from}
        onChange={(date) => onChange({ effective_from: date, target_ms: turnedRotation(settings, date) })}
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

interface AdjustmentFieldsProps {
  adjustment: AdjustmentContent
  onChange: (changed: Partial<AdjustmentContent>) => void
}

export function AdjustmentFields({ adjustment, onChange }: AdjustmentFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <Select
        label={t('sync.field.kind')}
        data={adjustmentKinds.map((kind) => ({ value: kind, label: t(`account.kind.${kind}`) }))}
        value={adjustment.kind}
        allowDeselect={false}
        onChange={(kind) => kind && onChange({ kind: kind })}
      />
      <DateInput
        label={t('sync.field.date')}
        required
        value={adjustment.effective_date}
        onChange={(effective_date) => onChange({ effective_date })}
      />
      <DurationInput
        label={t('sync.field.amount')}
        valueMs={adjustment.delta_ms}
        minMs={-MAX_ADJUSTMENT_MS}
        maxMs={MAX_ADJUSTMENT_MS}
        onChangeMs={(delta_ms) => onChange({ delta_ms })}
      />
      <TextInput
        label={t('sync.field.reason')}
        required
        maxLength={500}
        value={adjustment.reason}
        onChange={(event) => onChange({ reason: event.currentTarget.value })}
      />
    </>
  )
}
