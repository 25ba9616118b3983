import { TextInput, type TextInputProps } from '@mantine/core'
import { MINUTE_MS } from '@saldo/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../context/FormatProvider.tsx'
import { reportInvalid } from '../ui/report-invalid.ts'
import { clockText, readTime } from './wall-time.ts'

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** `HH:MM`, or empty. */
  value: string
  onChange: (value: string) => void
}

/**
 * A field for a local time, the same in every browser: `9`, `905`, `9:05`, `5pm`. It shows the time in the user's
 * format. Other text shows an error, and its form cannot be submitted.
 */
export function TimeInput({ value, onChange, error, ...props }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [text, setText] = useState<string>()
  const minutes = readTime(value)
  const shown = minutes === undefined ? '' : format.time(minutes * MINUTE_MS, 'UTC')
  const isWrong = text !== undefined && text.trim() !== '' && read(text) === undefined
  const problem = isWrong ? t('ui.time.wrong', { example: format.time(8.5 * 60 * MINUTE_MS, 'UTC') }) : undefined
  return (
    <TextInput
      autoComplete="off"
      {...props}
      ref={reportInvalid(problem)}
      value={text ?? shown}
      error={problem ?? error}
      onFocus={(event) => event.currentTarget.select()}
      onChange={({ currentTarget: { value: typed } }) => {
        setText(typed)
        const parsed = read(typed)
        if (parsed !== undefined) onChange(clockText(parsed))
        else if (typed.trim() === '') onChange('')
      }}
      onBlur={() => !isWrong && setText(undefined)}
    />
  )
}

function read(text: string): number | undefined {
  return readTime(text.replaceAll(/\s/g, ''))
}
