import { TextInput, type TextInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../context/FormatProvider.tsx'
import { parsePercent } from './parse-percent.ts'
import { useTypedText } from './useTypedText.ts'

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** Above 0, at most 1. */
  share: number
  onChangeShare: (share: number) => void
}

/** A field for a share as a percentage: `50`, `50 %`. */
export function PercentInput({ share, onChangeShare, error, ...props }: Props) {
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
