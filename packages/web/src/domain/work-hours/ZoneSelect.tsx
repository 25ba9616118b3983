import { Select } from '@mantine/core'
import { isZone } from '@saldo/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

export function ZoneSelect({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  const { t } = useTranslation()
  const zones = useMemo(() => {
    const known = Intl.supportedValuesOf('timeZone').filter(isZone)
    return known.includes(value) ? known : [value, ...known]
  }, [value])
  return (
    <Select
      label={t('workHours.zone')}
      description={t('workHours.zoneHelp')}
      data={zones}
      value={value}
      onChange={(zone) => zone && onChange(zone)}
      searchable
      limit={100}
      allowDeselect={false}
      nothingFoundMessage={t('workHours.noZone')}
    />
  )
}
