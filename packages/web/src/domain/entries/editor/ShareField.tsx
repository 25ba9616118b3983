import { Group, NumberInput, TextInput } from '@mantine/core'
import type { LocalDate } from '@saldo/core'
import { useTranslation } from 'react-i18next'

interface Props {
  date: LocalDate
  /** 0 to 1. */
  share: number
  onChange: (date: LocalDate, share: number) => void
}

export function ShareField({ date, share, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <Group grow>
      <TextInput
        type="date"
        label={t('entries.editor.date')}
        required
        value={date}
        onChange={({ currentTarget: { value } }) => value && onChange(value, share)}
      />
      <NumberInput
        label={t('entries.editor.share')}
        min={1}
        max={100}
        step={25}
        suffix=" %"
        value={share * 100}
        onChange={(percent) => onChange(date, Number(percent) / 100)}
      />
    </Group>
  )
}
