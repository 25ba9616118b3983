import { Text, TextInput, type TextInputProps } from '@mantine/core'
import { type BareNumber, mapReading, type Reading, readDuration, readNumber, readPercent } from '@saldo/client/reading'
import { DAY_MS, type DurationMs } from '@saldo/core'
import { useFormat } from '../context/FormatProvider.tsx'
import { useTranslation } from '../i18n/translation.ts'
import { exceededLimit } from './typed-values.ts'
import { useTypedText } from './useTypedText.tsx'

type OwnProps = Omit<TextInputProps, 'value' | 'onChange' | 'min' | 'max'>

interface DecimalInputProps extends OwnProps {
  value: number | null
  min: number
  max: number
  /** Digits behind the decimal sign, to which a number is rounded. */
  decimals?: number
  /** Shown behind the number. */
  suffix?: string
  onChangeNumber: (value: number) => void
  onEmpty?: () => void
}

/** A field for a number, with a point or a comma before its decimals. */
export function DecimalInput({
  value,
  min,
  max,
  decimals = 2,
  suffix,
  onChangeNumber,
  onEmpty,
  error,
  ...props
}: DecimalInputProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { field } = useTypedText({
    shown: value === null ? '' : format.typedNumber(value),
    read: (text) => mapReading(readNumber(text), (number) => roundedTo(decimals, number)),
    textOf: format.number,
    onRead: onChangeNumber,
    onEmpty,
    refuse: (number) => {
      const limit = exceededLimit(number, { min, max })
      return limit && t(`ui.number.${limit}`, { limit: format.number({ min, max }[limit]) })
    },
    wrong: t('ui.number.wrong', { example: format.number(decimals === 0 ? 2 : 2.5) }),
  })
  return (
    <TextInput
      inputMode={min < 0 ? 'text' : 'decimal'}
      {...(suffix !== undefined && {
        rightSection: (
          <Text size="sm" c="dimmed" pe="sm">
            {suffix}
          </Text>
        ),
        rightSectionWidth: 'auto',
      })}
      {...props}
      {...field}
      error={field.error ?? error}
    />
  )
}

function roundedTo(decimals: number, value: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals
}

interface PercentInputProps extends OwnProps {
  /** Above 0, at most 1. */
  share: number
  onChangeShare: (share: number) => void
  onUnread?: () => void
}

/** A field for a share as a percentage: `50`, `50 %`. */
export function PercentInput({ share, onChangeShare, onUnread, error, ...props }: PercentInputProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { field } = useTypedText({
    shown: format.percent(share),
    read: readPercent,
    textOf: format.percent,
    onRead: onChangeShare,
    onUnread,
    wrong: t('ui.percent.wrong', { example: format.percent(0.5) }),
  })
  return <TextInput inputMode="decimal" {...props} {...field} error={field.error ?? error} />
}

interface DurationInputProps extends OwnProps {
  valueMs: DurationMs
  minMs?: DurationMs
  maxMs?: DurationMs
  onChangeMs: (ms: DurationMs) => void
  onUnread?: () => void
  /** The meaning of a number without a unit, if not as the format has it. */
  bare?: BareNumber
  read?: (text: string) => Reading<DurationMs>
  /** Said of a longer duration. */
  tooLong?: string
}

/** A field for a duration: `8`, `7:30`, `7.5`, `90 min`. */
export function DurationInput({
  valueMs,
  minMs = 0,
  maxMs = DAY_MS,
  onChangeMs,
  onUnread,
  bare,
  read,
  tooLong,
  error,
  ...props
}: DurationInputProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { field } = useTypedText({
    shown: format.duration(valueMs),
    read: read ?? ((text) => readDuration(text, bare ?? format.bareNumber)),
    textOf: format.duration,
    onRead: onChangeMs,
    onUnread,
    refuse: (ms) => {
      const limit = exceededLimit(ms, { min: minMs, max: maxMs })
      if (limit === 'max' && tooLong !== undefined) return tooLong
      return limit && t(`ui.number.${limit}`, { limit: format.duration({ min: minMs, max: maxMs }[limit]) })
    },
    wrong: t('ui.duration.wrong', { example: format.duration(27_000_000) }),
  })
  return <TextInput inputMode={minMs < 0 ? 'text' : 'decimal'} {...props} {...field} error={field.error ?? error} />
}
