import { createContext, type ReactNode, use, useEffect, useMemo } from 'react'
import { showLanguage } from '../i18n/i18n.ts'
import { localeFor } from '../i18n/languages.ts'
import { useTranslation } from '../i18n/translation.ts'
import { type Format, formatOf } from './format.ts'
import { usePreferences } from './preferences.ts'

const FormatContext = createContext<Format | undefined>(undefined)

/** Shows the preferred language, and provides one set of formats: the browser takes long to create them. */
export function FormatProvider({ children }: { children: ReactNode }) {
  const { language } = useTranslation()
  const { durations, hours, language: wanted } = usePreferences()
  useEffect(() => void showLanguage(wanted), [wanted])
  const locale = localeFor(language, navigator.languages)
  const format = useMemo(() => formatOf({ locale, durations, hours }), [locale, durations, hours])
  return <FormatContext value={format}>{children}</FormatContext>
}

/** Returns the formats that the user prefers for durations, times and dates. */
export function useFormat(): Format {
  const format = use(FormatContext)
  if (!format) throw new Error('no FormatProvider above')
  return format
}
