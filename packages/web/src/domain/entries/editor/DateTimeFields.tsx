import { Group, Input, TextInput } from '@mantine/core'
import { isDate, type LocalDate } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import classes from './DateTimeFields.module.css'

interface Props {
  label: string
  date: LocalDate
  time: string
  isFocused?: boolean
  onChange: (date: LocalDate, time: string) => void
}

/** A date and a time on it, by the browser's own fields: every phone has good ones. */
export function DateTimeFields({ label, date, time, isFocused, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <fieldset className={classes.fields}>
      <Input.Label component="legend" labelElement="div">
        {label}
      </Input.Label>
      <Group grow gap="sm">
        <TextInput
          type="time"
          aria-label={t('entries.editor.timeOf', { what: label })}
          data-autofocus={isFocused || undefined}
          required
          value={time}
          onChange={({ currentTarget: { value } }) => onChange(date, value)}
        />
        <TextInput
          type="date"
          aria-label={t('entries.editor.dateOf', { what: label })}
          required
          value={date}
          onChange={({ currentTarget: { value } }) => isDate(value) && onChange(value, time)}
        />
      </Group>
    </fieldset>
  )
}
