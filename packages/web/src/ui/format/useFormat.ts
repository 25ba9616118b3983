import { useTranslation } from 'react-i18next'
import { usePreferences } from '../../app/preferences.ts'
import { localeFor } from '../../i18n/languages.ts'
import { type Format, type FormatOptions, formatOf } from './format.ts'

/** Those that were asked for, by their options: the browser takes long to make one. */
const formats = new Map<string, Format>()

/** How the person wants lengths, times and dates written. */
export function useFormat(): Format {
  const { i18n } = useTranslation()
  const { durations, hours } = usePreferences()
  const locale = localeFor(i18n.language, navigator.languages)
  return sharedFormat({ locale, durations, hours })
}

function sharedFormat({ locale, durations, hours }: FormatOptions): Format {
  const key = `${locale} ${durations} ${hours}`
  const format = formats.get(key) ?? formatOf({ locale, durations, hours })
  formats.set(key, format)
  return format
}
