import { Autocomplete } from '@mantine/core'
import type { SubjectFieldProps } from './SubjectField.tsx'

export function SuggestingField({ options, ...field }: SubjectFieldProps) {
  return (
    <Autocomplete
      {...field}
      data={options}
      filter={({ options }) => options}
      selectFirstOptionOnChange={field.value.trim() !== ''}
      autoFocus
    />
  )
}
