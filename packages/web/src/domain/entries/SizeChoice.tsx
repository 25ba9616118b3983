import { Input, SegmentedControl, Stack } from '@mantine/core'
import { sizeOfAmount, sizeOfShare, WHOLE_DAY } from '@saldo/client/entries'
import { type AbsenceSize, HOUR_MS, MINUTE_MS } from '@saldo/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DurationInput } from '../../ui/DurationInput.tsx'
import { PercentInput } from '../../ui/PercentInput.tsx'
import { readAmount } from './read-amount.ts'

interface Props {
  value: AbsenceSize
  onChange: (size: AbsenceSize) => void
}

const choices = ['whole', 'half', 'hours', 'share'] as const
type Choice = (typeof choices)[number]

function choiceOf({ day_share, amount_ms }: AbsenceSize): Choice {
  if (amount_ms !== null) return 'hours'
  return day_share === 1 ? 'whole' : day_share === 0.5 ? 'half' : 'share'
}

const firstSizes: Record<Choice, AbsenceSize> = {
  whole: WHOLE_DAY,
  half: sizeOfShare(0.5),
  hours: sizeOfAmount(HOUR_MS),
  share: sizeOfShare(0.25),
}

/** Chooses the whole day, half of it, some hours, or another share. */
export function SizeChoice({ value, onChange }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const [choice, setChoice] = useState(() => choiceOf(value))
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
            setChoice(chosen as Choice)
            onChange(firstSizes[chosen as Choice])
          }}
          data={choices.map((each) => ({ value: each, label: t(`entries.size.${each}`) }))}
        />
      </div>
      {choice === 'hours' && (
        <DurationInput
          label={t('entries.size.amount')}
          description={t('entries.size.amountHint')}
          inputMode="text"
          read={readAmount}
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
        />
      )}
    </Stack>
  )
}
