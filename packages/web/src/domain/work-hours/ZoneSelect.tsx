import { isZone } from '@saldo/core'
import { useMemo } from 'react'
import { useTranslation } from '../../i18n/translation.ts'
import { SearchSelect } from '../../ui/SearchSelect.tsx'

interface Props {
  value: string
  /** Explains the zone; that of the working hours by default. */
  help?: string
  onChange: (zone: string) => void
}

export function ZoneSelect({ value, help, onChange }: Props) {
  const { t } = useTranslation()
  const zones = useMemo(() => {
    const known = Intl.supportedValuesOf('timeZone').filter(isZone)
    return known.includes(value) ? known : [value, ...known]
  }, [value])
  return (
    <SearchSelect
      label={t('workHours.zone')}
      description={help ?? t('workHours.zoneHelp')}
      data={zones}
      value={value}
      onChange={(zone) => zone && onChange(zone)}
      limit={100}
      allowDeselect={false}
      nothingFoundMessage={t('workHours.noZone')}
    />
  )
}
