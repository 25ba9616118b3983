import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../context/FormatProvider.tsx'
import { parsePercent } from './parse-percent.ts'
import { reportInvalid } from './report-invalid.ts'

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** Above 0, at most 1. */
  share: number
  onChangeShare: (share: number) => void
}

/** A field for a share as a percentage: `50`, `50 %`. Other text shows an error, and its form cannot be submitted. */
export function PercentInput({ share, onChangeShare, ...props }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [text, setText] = useState<string>()
  const isWrong = text !== undefined && parsePercent(text) === undefined
  const problem = isWrong ? t('ui.percent.wrong', { example: format.percent(0.5) }) : undefined
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      {...props}
      ref={reportInvalid(problem)}
      value={text ?? format.percent(share)}
      error={problem}
      onFocus={(event) => event.currentTarget.select()}
      onChange={({ currentTarget: { value } }) => {
        setText(value)
        const parsed = parsePercent(value)
        if (parsed !== undefined) onChangeShare(parsed)
      }}
      onBlur={() => !isWrong && setText(undefined)}
    />
  )
}
