import { Group, Input, NumberInput, SegmentedControl } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'

interface Props {
  /** Above 0, at most 1. */
  value: number
  onChange: (share: number) => void
}

const nameOf = (share: number) => (share === 1 ? 'whole' : share === 0.5 ? 'half' : 'other')

/** How much of the day: all, half, or any other share of it. */
export function ShareChoice({ value, onChange }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const [shown, setShown] = useState(() => nameOf(value))
  return (
    <div>
      <Input.Label id={id} labelElement="div" mb={4}>
        {t('calendar.share.label')}
      </Input.Label>
      <Group gap="sm" wrap="nowrap">
        <SegmentedControl
          aria-labelledby={id}
          value={shown}
          onChange={(name) => {
            setShown(nameOf(name === 'whole' ? 1 : name === 'half' ? 0.5 : 0))
            if (name !== 'other') onChange(name === 'whole' ? 1 : 0.5)
          }}
          data={[
            { value: 'whole', label: t('calendar.share.whole') },
            { value: 'half', label: t('calendar.share.half') },
            { value: 'other', label: t('calendar.share.other') },
          ]}
        />
        {shown === 'other' && (
          <NumberInput
            aria-label={t('calendar.share.percent')}
            min={0}
            max={100}
            step={25}
            suffix=" %"
            value={value * 100}
            onChange={(percent) => onChange(Number(percent) / 100)}
          />
        )}
      </Group>
    </div>
  )
}
