import { Select, SimpleGrid } from '@mantine/core'
import type { HolidayRule } from '@saldo/core'
import { holidayCountries, holidayRegions } from '@saldo/core/public-holidays'
import { useMemo } from 'react'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { SearchSelect } from '../../ui/SearchSelect.tsx'
import { withCountry, withState } from './place.ts'
import { stateNames } from './state-names.ts'

interface Props {
  value: HolidayRule | null
  onChange: (rule: HolidayRule | null) => void
}

/** The words for the states of some countries. */
const stateWords: Record<string, 'state' | 'canton'> = {
  AT: 'state',
  AU: 'state',
  CH: 'canton',
  DE: 'state',
  US: 'state',
}

const optionsOf = (names: readonly [string, string][]) => names.map(([value, label]) => ({ value, label }))

/** Chooses a country, and a state and a region with holidays of their own. It loads the library of holidays. */
export default function HolidayPlace({ value, onChange }: Props) {
  const { t, language } = useTranslation()
  const { locale } = useFormat()
  const { country = '', state = null, region = null } = value ?? {}
  const countries = useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' })
    const named = holidayCountries().map((code) => ({ value: code, label: names.of(code) ?? code }))
    return named.sort((a, b) => a.label.localeCompare(b.label, locale))
  }, [locale])
  const states = useMemo(() => stateNames(country, language), [country, language])
  const regions = useMemo(
    () => (state === null ? [] : holidayRegions(country, state, language)),
    [country, state, language],
  )
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <SearchSelect
        label={t('holidays.country')}
        data={[{ value: '', label: t('holidays.none') }, ...countries]}
        value={country}
        allowDeselect={false}
        nothingFoundMessage={t('holidays.noCountry')}
        onChange={(chosen) => {
          if (chosen === '') onChange(null)
          else if (chosen !== null) onChange(withCountry(value, chosen))
        }}
      />
      {value && states.length > 0 && (
        <SearchSelect
          label={t(`holidays.${stateWords[country] ?? 'area'}`)}
          data={[{ value: '', label: t('holidays.wholeCountry') }, ...optionsOf(states)]}
          value={state ?? ''}
          allowDeselect={false}
          onChange={(chosen) => onChange(withState(value, chosen || null))}
        />
      )}
      {value && regions.length > 0 && (
        <Select
          label={t('holidays.place')}
          data={[{ value: '', label: t('holidays.noPlace') }, ...optionsOf(regions)]}
          value={region ?? ''}
          allowDeselect={false}
          onChange={(chosen) => onChange({ ...value, region: chosen || null })}
        />
      )}
    </SimpleGrid>
  )
}
