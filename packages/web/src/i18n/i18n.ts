import { languages as loaders } from 'virtual:languages'
import { languageFor } from './languages.ts'
import { addStrings, type StringsByKey, shownLanguage, showTranslation, translator } from './translation.ts'

/** The languages that there are strings of, such as `de`. */
export const languages: readonly string[] = Object.keys(loaders)

/** The parts of the strings that are shown: a language that is chosen later shows them too. */
const parts = new Set<Part>(['first'])
type Part = 'first' | 'later'

const loaded = new Map<string, StringsByKey>()

async function loadStrings(language: string, part: Part): Promise<void> {
  const strings = (await loaders[language]?.[part]())?.default ?? {}
  addStrings(stringsOf(language), strings)
}

function stringsOf(language: string): StringsByKey {
  const strings = loaded.get(language) ?? new Map()
  loaded.set(language, strings)
  return strings
}

/** Shows the app in a language from now on; `null` follows the browser. */
export async function showLanguage(wanted: string | null): Promise<void> {
  const language = languageFor(wanted === null ? navigator.languages : [wanted], languages)
  await Promise.all([...parts].map((part) => loadStrings(language, part)))
  showTranslation({ t: translator(language, stringsOf(language)), language })
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
  if (shownLanguage() !== '') await loadStrings(shownLanguage(), 'later')
}
