import { Select, TextInput } from '@mantine/core'
import { type AdjustmentContent, adjustmentKinds, HOUR_MS } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { DurationInput } from '../../../ui/DurationInput.tsx'

const MOST_HOURS_MS = 10_000 * HOUR_MS

interface Props {
  adjustment: AdjustmentContent
  onChange: (changed: Partial<AdjustmentContent>) => void
}

export function AdjustmentFields({ adjustment, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <>
      <Select
        label={t('sync.fact.kind')}
        data={adjustmentKinds.map((kind) => ({ value: kind, label: t(`sync.adjustment.${kind}`) }))}
        value={adjustment.kind}
        allowDeselect={false}
        onChange={(kind) => kind && onChange({ kind: kind as AdjustmentContent['kind'] })}
      />
      <TextInput
        type="date"
        label={t('sync.fact.date')}
        required
        withAsterisk={false}
        value={adjustment.effective_date}
        onChange={({ currentTarget: { value } }) => value && onChange({ effective_date: value })}
      />
      <DurationInput
        label={t('sync.fact.amount')}
        valueMs={adjustment.delta_ms}
        minMs={-MOST_HOURS_MS}
        maxMs={MOST_HOURS_MS}
        onChangeMs={(delta_ms) => onChange({ delta_ms })}
      />
      <TextInput
        label={t('sync.fact.reason')}
        required
        withAsterisk={false}
        maxLength={500}
        value={adjustment.reason}
        onChange={(event) => onChange({ reason: event.currentTarget.value })}
      />
    </>
  )
}
