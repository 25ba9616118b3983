import { useTranslation } from 'react-i18next'
import { SearchSelect } from './SearchSelect.tsx'

interface Props {
  label: string
  data: string[] | { value: string; label: string }[]
  /** Empty if nothing is chosen. */
  value: string
  onChange: (value: string) => void
}

/** A choice that can be left open. */
export function FilterSelect({ label, data, value, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <SearchSelect
      label={label}
      placeholder={t('ui.any')}
      data={data}
      clearable
      value={value === '' ? null : value}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  )
}
