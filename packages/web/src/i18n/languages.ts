/** The language among `known` that a reader of `wanted`, most wanted first, gets: English where none fits. */
export function languageFor(wanted: readonly string[], known: readonly string[]): string {
  const found = wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((language) => known.includes(language))
  return found ?? 'en'
}

/** The locale to write numbers and times in: the browser's own way of the language, where it has one (`en-GB`). */
export function localeFor(language: string, wanted: readonly string[]): string {
  return wanted.find((tag) => tag.toLowerCase().startsWith(language)) ?? language
}
