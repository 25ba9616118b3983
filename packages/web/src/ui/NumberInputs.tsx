import { NumberInput, type NumberInputProps, TextInput, type TextInputProps } from '@mantine/core'
import { DAY_MS } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../context/FormatProvider.tsx'
import { clampedTo, parseHours, parsePercent } from './typed-values.ts'
import { useTypedText } from './useTypedText.ts'

/** A field for a number with decimals: it shows the separator of the language, and takes a point and a comma. */
export function DecimalInput(props: NumberInputProps) {
  const format = useFormat()
  return <NumberInput decimalSeparator={format.decimalSeparator} allowedDecimalSeparators={['.', ',']} {...props} />
}

interface PercentInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** Above 0, at most 1. */
  share: number
  onChangeShare: (share: number) => void
}

/** A field for a share as a percentage: `50`, `50 %`. */
export function PercentInput({ share, onChangeShare, error, ...props }: PercentInputProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { field } = useTypedText({
    shown: format.percent(share),
    parse: parsePercent,
    onParsed: onChangeShare,
    wrong: t('ui.percent.wrong', { example: format.percent(0.5) }),
  })
  return <TextInput inputMode="decimal" {...props} {...field} error={field.error ?? error} />
}

interface DurationInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
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
}: DurationInputProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { field } = useTypedText({
    shown: format.duration(valueMs),
    parse: (text) => clampedTo(read(text), minMs, maxMs),
    onParsed: onChangeMs,
    wrong: t('ui.duration.wrong', { example: format.duration(27_000_000) }),
  })
  return <TextInput inputMode={minMs < 0 ? 'text' : 'decimal'} {...props} {...field} error={field.error ?? error} />
}
