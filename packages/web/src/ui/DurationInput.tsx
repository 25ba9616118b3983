import { TextInput, type TextInputProps } from '@mantine/core'
import { DAY_MS } from '@saldo/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../context/FormatProvider.tsx'
import { parseHours } from './parse-hours.ts'
import { reportInvalid } from './report-invalid.ts'

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  valueMs: number
  minMs?: number
  maxMs?: number
  onChangeMs: (ms: number) => void
}

/** A field for a duration: `8`, `7:30`, `7.5`, `90m`. Other text shows an error, and its form cannot be submitted. */
export function DurationInput({ valueMs, minMs = 0, maxMs = DAY_MS, onChangeMs, ...props }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [text, setText] = useState<string>()
  const isFit = (ms: number | undefined): ms is number => ms !== undefined && ms >= minMs && ms <= maxMs
  const isWrong = text !== undefined && !isFit(parseHours(text))
  const problem = isWrong ? t('ui.duration.wrong', { example: format.duration(27_000_000) }) : undefined
  return (
    <TextInput
      inputMode={minMs < 0 ? 'text' : 'decimal'}
      autoComplete="off"
      {...props}
      ref={reportInvalid(problem)}
      value={text ?? format.duration(valueMs)}
      error={problem}
      onFocus={(event) => event.currentTarget.select()}
      onChange={({ currentTarget: { value } }) => {
        setText(value)
        const ms = parseHours(value)
        if (isFit(ms)) onChangeMs(ms)
      }}
      onBlur={() => !isWrong && setText(undefined)}
    />
  )
}
