import { Input, SegmentedControl, Stack } from '@mantine/core'
import { type AbsenceSize, HOUR_MS, MINUTE_MS, sizeOfAmount, sizeOfShare } from '@saldo/core'
import { useId, useState } from 'react'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { DurationInput, PercentInput } from '../../ui/NumberInputs.tsx'
import { choiceOfSize, firstSizes, readAmount, sizeChoices } from './size-choice-model.ts'

interface Props {
  value: AbsenceSize
  onChange: (size: AbsenceSize) => void
}

/** Chooses the whole day, half of it, some hours, or another share. */
export function SizeChoice({ value, onChange }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const id = useId()
  const [choice, setChoice] = useState(() => choiceOfSize(value))
  return (
    <Stack gap="xs">
      <div>
        <Input.Label id={id} labelElement="div" mb={4}>
          {t('entries.size.label')}
        </Input.Label>
        <SegmentedControl
          fullWidth
          aria-labelledby={id}
          value={choice}
          onChange={(chosen) => {
            setChoice(chosen)
            onChange(firstSizes[chosen])
          }}
          data={sizeChoices.map((each) => ({ value: each, label: t(`entries.size.${each}`) }))}
        />
      </div>
      {choice === 'hours' && (
        <DurationInput
          label={t('entries.size.amount')}
          description={t('entries.size.amountHint')}
          inputMode="text"
          read={(text) => readAmount(text, format.bareNumber)}
          onUnread={() => onChange(sizeOfAmount(Number.NaN))}
          minMs={MINUTE_MS}
          valueMs={value.amount_ms ?? HOUR_MS}
          onChangeMs={(ms) => onChange(sizeOfAmount(ms))}
        />
      )}
      {choice === 'share' && (
        <PercentInput
          label={t('entries.size.percent')}
          share={value.day_share ?? 1}
          onChangeShare={(share) => onChange(sizeOfShare(share))}
          onUnread={() => onChange(sizeOfShare(Number.NaN))}
        />
      )}
    </Stack>
  )
}
