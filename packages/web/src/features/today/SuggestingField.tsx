import { Autocomplete } from '@mantine/core'
import { useEmptyEnter } from '../../ui/useEmptyEnter.ts'

export interface SubjectFieldProps {
  'aria-label': string
  placeholder: string
  maxLength: number
  options: string[]
  value: string
  onChange: (text: string) => void
  onOptionSubmit: (option: string) => void
}

export function SuggestingField({ options, ...field }: SubjectFieldProps) {
  return (
    <Autocomplete
      {...field}
      data={options}
      filter={({ options }) => options}
      selectFirstOptionOnChange={field.value.trim() !== ''}
      onKeyDownCapture={useEmptyEnter(field.value)}
      autoFocus
    />
  )
}
