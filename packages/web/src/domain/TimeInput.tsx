import { TextInput, type TextInputProps } from '@mantine/core'
import { clockText, wallAt } from '@saldo/client/entries'
import { certainTime, readTime } from '@saldo/client/reading'
import { MINUTE_MS } from '@saldo/core'
import { clock } from '../context/clock.ts'
import { useFormat } from '../context/FormatProvider.tsx'
import { useTranslation } from '../i18n/translation.ts'
import { useTypedText } from '../ui/useTypedText.tsx'
import { browserZone } from './work-hours/work-hours-model.ts'

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** `HH:MM`, or empty. */
  value: string
  onChange: (value: string) => void
  /** The start before an end, as `HH:MM`. */
  start?: string
  /** True for a time that is past. */
  isPast?: boolean
}

/** A field for a local time, the same in every browser, in the user's format: `9`, `905`, `9:05`, `5pm`, `noon`. */
export function TimeInput({ value, onChange, start = '', isPast = false, error, ...props }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const textOf = (minutes: number) => format.time(minutes * MINUTE_MS, 'UTC')
  const minutes = certainTime(value)
  const now = wallAt(clock.now(), browserZone()).minutes
  const { field } = useTypedText({
    shown: minutes === undefined ? '' : textOf(minutes),
    read: (text) => readTime(text, { now, start: certainTime(start), ...(isPast && { until: now }) }),
    textOf,
    onRead: (typed) => onChange(clockText(typed)),
    onEmpty: () => onChange(''),
    wrong: t('ui.time.wrong', { example: textOf(8.5 * 60) }),
  })
  return <TextInput {...props} {...field} error={field.error ?? error} />
}
