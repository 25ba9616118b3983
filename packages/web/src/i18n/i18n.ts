import { languages as loaders } from 'virtual:languages'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { languageFor } from './languages.ts'

/** The languages that there are strings of, such as `de`. */
export const languages: readonly string[] = Object.keys(loaders)

/** The parts of the strings that are shown: a language that is chosen later shows them too. */
const parts = new Set<Part>(['first'])
type Part = 'first' | 'later'

async function readStrings(language: string, part: Part): Promise<object> {
  return (await loaders[language]?.[part]())?.default ?? {}
}

/** Shows the app in a language from now on; `null` follows the browser. */
export async function showLanguage(wanted: string | null): Promise<void> {
  const language = languageFor(wanted === null ? navigator.languages : [wanted], languages)
  const bundles = await Promise.all([...parts].map((part) => readStrings(language, part)))
  if (!i18next.isInitialized) {
    await i18next.use(initReactI18next).init({
      lng: language,
      fallbackLng: false,
      resources: {},
      interpolation: { escapeValue: false },
    })
  }
  for (const strings of bundles) i18next.addResourceBundle(language, 'translation', strings, true)
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}

let loadingAll: Promise<void> | undefined

/** Loads the strings of all views; those of the first one are there from the start. */
function loadAllStrings(): Promise<void> {
  loadingAll ??= addAllStrings().catch((error: unknown) => {
    loadingAll = undefined
    throw error
  })
  return loadingAll
}

/** Returns what loads a part of the app together with the strings of all views. */
export function withStrings<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    const [module] = await Promise.all([load(), loadAllStrings()])
    return module
  }
}

async function addAllStrings(): Promise<void> {
  parts.add('later')
  // Else the first language comes with them.
  if (!i18next.isInitialized) return
  const { language } = i18next
  i18next.addResourceBundle(language, 'translation', await readStrings(language, 'later'), true)
}
