import { TextInput, type TextInputProps } from '@mantine/core'
import { DAY_MS } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../context/FormatProvider.tsx'
import { parseHours, within } from './parse-hours.ts'
import { useTypedText } from './useTypedText.ts'

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  valueMs: number
  minMs?: number
  maxMs?: number
  onChangeMs: (ms: number) => void
  /** Reads what is typed, in milliseconds; `undefined` if it is no duration. */
  read?: (text: string) => number | undefined
}

/** A field for a duration: `8`, `7:30`, `7.5`, `90m`. */
export function DurationInput({
  valueMs,
  minMs = 0,
  maxMs = DAY_MS,
  onChangeMs,
  read = parseHours,
  error,
  ...props
}: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { field } = useTypedText({
    shown: format.duration(valueMs),
    parse: (text) => within(read(text), minMs, maxMs),
    onParsed: onChangeMs,
    wrong: t('ui.duration.wrong', { example: format.duration(27_000_000) }),
  })
  return <TextInput inputMode={minMs < 0 ? 'text' : 'decimal'} {...props} {...field} error={field.error ?? error} />
}
