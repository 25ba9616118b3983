import { useTranslation } from '../i18n/translation.ts'
import { SearchSelect } from './SearchSelect.tsx'
import type { Option } from './search-select-model.ts'

interface Props {
  label: string
  data: Option[]
  /** Empty if nothing is chosen. */
  value: string
  onChange: (value: string) => void
}

/** A choice that can be left open. A value that is no option is shown too: it limits what is found. */
export function FilterSelect({ label, data, value, onChange }: Props) {
  const { t } = useTranslation()
  const isOption = value === '' || data.some((option) => (typeof option === 'string' ? option : option.value) === value)
  return (
    <SearchSelect
      label={label}
      placeholder={t('ui.any')}
      data={isOption ? data : [value, ...data]}
      clearable
      value={value === '' ? null : value}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  )
}
