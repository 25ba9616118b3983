import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '../../app/preferences.ts'
import { localeFor } from '../../i18n/languages.ts'
import { type Format, formatOf } from './format.ts'

/** How the person wants lengths, times and dates written. */
export function useFormat(): Format {
  const { i18n } = useTranslation()
  const { durations, hours } = usePreferences()
  const locale = localeFor(i18n.language, navigator.languages)
  return useMemo(() => formatOf({ locale, durations, hours }), [locale, durations, hours])
}
