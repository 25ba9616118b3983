import { languages as loaders } from 'virtual:languages'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { languageFor } from './languages.ts'

/** The languages that there are strings of, such as `de`. */
export const languages: readonly string[] = Object.keys(loaders)

/** Shows the app in a language from now on; `null` follows the browser. */
export async function showLanguage(wanted: string | null): Promise<void> {
  const language = languageFor(wanted === null ? navigator.languages : [wanted], languages)
  const strings = (await loaders[language]?.())?.default ?? {}
  if (i18next.isInitialized) {
    i18next.addResourceBundle(language, 'translation', strings)
    await i18next.changeLanguage(language)
  } else {
    await i18next.use(initReactI18next).init({
      lng: language,
      fallbackLng: false,
      resources: { [language]: { translation: strings } },
      interpolation: { escapeValue: false },
    })
  }
  document.documentElement.lang = language
}
