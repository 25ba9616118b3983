import { Select, SimpleGrid } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { countries, type HolidayPlace, localitiesOf, regionsOf } from './holidays.ts'

interface Props {
  place: HolidayPlace
  onChange: (place: HolidayPlace) => void
}

const optionsOf = (names: readonly [string, string][]) => names.map(([value, label]) => ({ value, label }))

/** Chooses a country, and a region and a place with their own holidays. */
export function PlaceFields({ place, onChange }: Props) {
  const { t, i18n } = useTranslation()
  const { locale } = useFormat()
  const { country, region, locality } = place
  const countryOptions = useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' })
    const named = countries().map((code) => ({ value: code, label: names.of(code) ?? code }))
    return named.sort((a, b) => a.label.localeCompare(b.label, locale))
  }, [locale])
  const regions = regionsOf(country, i18n.language)
  const localities = localitiesOf(country, region, i18n.language)
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <Select
        label={t('calendar.holidays.country')}
        data={countryOptions}
        value={country}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t('calendar.holidays.noCountry')}
        onChange={(chosen) => chosen && onChange({ country: chosen, region: '', locality: '' })}
      />
      {regions.length > 0 && (
        <Select
          label={t('calendar.holidays.region')}
          data={optionsOf([['', t('calendar.holidays.wholeCountry')], ...regions])}
          value={region}
          allowDeselect={false}
          onChange={(chosen) => onChange({ country, region: chosen ?? '', locality: '' })}
        />
      )}
      {localities.length > 0 && (
        <Select
          label={t('calendar.holidays.locality')}
          data={optionsOf([['', t('calendar.holidays.wholeRegion')], ...localities])}
          value={locality}
          allowDeselect={false}
          onChange={(chosen) => onChange({ country, region, locality: chosen ?? '' })}
        />
      )}
    </SimpleGrid>
  )
}
