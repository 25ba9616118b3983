import { Select, TextInput } from '@mantine/core'
import { type AdjustmentContent, adjustmentKinds } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { MAX_ADJUSTMENT_MS } from '../../../domain/account/max-adjustment.ts'
import { DateInput } from '../../../ui/DateInput.tsx'
import { DurationInput } from '../../../ui/DurationInput.tsx'

interface Props {
  adjustment: AdjustmentContent
  onChange: (changed: Partial<AdjustmentContent>) => void
}

export function AdjustmentFields({ adjustment, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <>
      <Select
        label={t('sync.field.kind')}
        data={adjustmentKinds.map((kind) => ({ value: kind, label: t(`account.kind.${kind}`) }))}
        value={adjustment.kind}
        allowDeselect={false}
        onChange={(kind) => kind && onChange({ kind: kind as AdjustmentContent['kind'] })}
      />
      <DateInput
        label={t('sync.field.date')}
        required
        withAsterisk={false}
        value={adjustment.effective_date}
        onChange={(value) => value !== '' && onChange({ effective_date: value })}
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
        withAsterisk={false}
        maxLength={500}
        value={adjustment.reason}
        onChange={(event) => onChange({ reason: event.currentTarget.value })}
      />
    </>
  )
}
