import { Group, Input, SegmentedControl } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PercentInput } from '../../../ui/PercentInput.tsx'

interface Props {
  /** Above 0, at most 1. */
  value: number
  onChange: (share: number) => void
}

type ShareName = 'whole' | 'half' | 'other'

const nameOf = (share: number): ShareName => (share === 1 ? 'whole' : share === 0.5 ? 'half' : 'other')

/** Chooses the whole day, half of it, or another share. */
export function ShareChoice({ value, onChange }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const [name, setName] = useState(() => nameOf(value))
  return (
    <div>
      <Input.Label id={id} labelElement="div" mb={4}>
        {t('calendar.share.label')}
      </Input.Label>
      <Group gap="sm" wrap="nowrap">
        <SegmentedControl
          aria-labelledby={id}
          value={name}
          onChange={(chosen) => {
            setName(chosen as ShareName)
            if (chosen !== 'other') onChange(chosen === 'whole' ? 1 : 0.5)
          }}
          data={[
            { value: 'whole', label: t('calendar.share.whole') },
            { value: 'half', label: t('calendar.share.half') },
            { value: 'other', label: t('calendar.share.other') },
          ]}
        />
        {name === 'other' && (
          <PercentInput aria-label={t('calendar.share.percent')} share={value} onChangeShare={onChange} />
        )}
      </Group>
    </div>
  )
}
