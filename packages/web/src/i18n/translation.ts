import { useSyncExternalStore } from 'react'

/** Strings as a file of a feature has them, such as `{ week: { title: 'Week' } }`. */
export interface Strings {
  [key: string]: string | Strings
}

/** The values that a string names; an absent one is left out of it. */
type Values = Readonly<Record<string, string | number | null | undefined>>

export type Translate = (key: string, values?: Values) => string

export interface Translation {
  /** Returns the string of a key, such as `week.title`. */
  t: Translate
  /** The language that is shown, such as `de`; empty until one is. */
  language: string
}

/** The strings of a language by their whole key. More can be added. */
export type StringsByKey = Map<string, string>

export function addStrings(stringsByKey: StringsByKey, strings: Strings, prefix = ''): void {
  for (const [key, value] of Object.entries(strings)) {
    if (typeof value === 'string') stringsByKey.set(prefix + key, value)
    else addStrings(stringsByKey, value, `${prefix}${key}.`)
  }
}

/**
 * Returns what finds the string of a key and fills in the values that it names in `{{braces}}`; with a `count` it is
 * the plural of the key that the language has for it. A key without a string is returned itself.
 */
export function translator(language: string, stringsByKey: ReadonlyMap<string, string>): Translate {
  const plurals = new Intl.PluralRules(language)
  return (key, values = {}) => {
    const { count } = values
    const plural = typeof count === 'number' ? stringsByKey.get(`${key}_${plurals.select(count)}`) : undefined
    const string = plural ?? stringsByKey.get(key) ?? key
    return string.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
  }
}

let shown: Translation = { t: (key) => key, language: '' }
const listeners = new Set<() => void>()

export function showTranslation(translation: Translation): void {
  shown = translation
  for (const listener of listeners) listener()
}

export const shownLanguage = () => shown.language

/** The translation that is shown. Another language draws the component anew. */
export function useTranslation(): Translation {
  return useSyncExternalStore(listen, () => shown)
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
