import { TextInput } from '@mantine/core'
import { useLoaded } from '../../ui/useLoaded.ts'
import type { SubjectFieldProps } from './SuggestingField.tsx'

/** A field with suggestions: what shows them comes when the field is used, and takes the text and the focus over. */
export function SubjectField(props: SubjectFieldProps) {
  const [suggesting, load] = useLoaded(() => import('./SuggestingField.tsx'))
  if (suggesting) return <suggesting.SuggestingField {...props} />
  const { options: _, onOptionSubmit: _submit, onChange, ...shown } = props
  return (
    <TextInput
      {...shown}
      role="combobox"
      aria-autocomplete="list"
      aria-expanded={false}
      onFocus={load}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
