import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { wallAt } from '@saldo/client/entries'
import { readDate } from '@saldo/client/reading'
import { isDate, type LocalDate } from '@saldo/core'
import { type KeyboardEvent, useRef } from 'react'
import { clock } from '../context/clock.ts'
import { useFormat } from '../context/FormatProvider.tsx'
import { useTranslation } from '../i18n/translation.ts'
import classes from './DateInput.module.css'
import { IconCalendar } from './icons.ts'
import { dateByKey, exceededLimit } from './typed-values.ts'
import { useTypedText } from './useTypedText.tsx'

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'min' | 'max'> {
  /** Empty while no date is chosen. */
  value: LocalDate | ''
  onChange: (date: LocalDate) => void
  /** Called when the field is emptied. Without it, an empty field is wrong, and its form cannot be submitted. */
  onEmpty?: () => void
  /** Called when what is typed is no date that the field takes. */
  onUnread?: () => void
  min?: LocalDate
  max?: LocalDate
}

/**
 * A field for a date, the same in every browser, with the month as a word: `20.11.`, `20 Nov`, `yesterday`. Arrow keys
 * step by days, and a button opens the browser's calendar.
 */
export function DateInput({ value, onChange, onEmpty, onUnread, min, max, error, ...props }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const calendar = useRef<HTMLInputElement>(null)
  const today = wallAt(clock.now(), Intl.DateTimeFormat().resolvedOptions().timeZone).date
  const { field, drop } = useTypedText({
    shown: value === '' ? '' : format.date(value, 'field'),
    read: (text) => readDate(text, { today, near: value === '' ? today : value, order: format.dateOrder }),
    textOf: (date) => format.date(date, 'field'),
    onRead: onChange,
    refuse(date) {
      if (exceededLimit(date, { min, max }) === undefined) return undefined
      const [from, to] = [min, max].map((limit) => limit && format.date(limit, 'medium'))
      return t(`ui.date.${from && to ? 'between' : from ? 'from' : 'to'}`, { from, to })
    },
    onEmpty,
    onUnread,
    wrong: t('ui.date.wrong', { example: format.date(today, 'field') }),
  })
  const choose = (date: LocalDate) => {
    drop()
    onChange(date)
  }
  const step = (event: KeyboardEvent) => {
    const next = value === '' ? undefined : dateByKey(event.key, value)
    if (next === undefined) return
    event.preventDefault()
    if (exceededLimit(next, { min, max }) === undefined) choose(next)
  }
  return (
    <TextInput
      {...props}
      {...field}
      error={field.error ?? error}
      onKeyDown={step}
      rightSection={
        <>
          <ActionIcon
            variant="subtle"
            color="gray"
            tabIndex={-1}
            aria-label={t('ui.date.calendar')}
            onClick={() => calendar.current?.showPicker()}
          >
            <IconCalendar size={18} stroke={1.75} aria-hidden />
          </ActionIcon>
          <input
            ref={calendar}
            type="date"
            className={classes.calendar}
            tabIndex={-1}
            aria-hidden
            min={min}
            max={max}
            value={value}
            onChange={({ currentTarget: { value: chosen } }) => isDate(chosen) && choose(chosen)}
          />
        </>
      }
    />
  )
}
