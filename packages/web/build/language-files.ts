/**
 * Returns the language of a file of strings by its name, such as `de.json`, `pt-BR.json` or `zh-Hant.json`; `undefined`
 * for other files.
 */
export function languageOf(file: string): string | undefined {
  return /(?:^|[\\/])([a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?)\.json$/.exec(file)?.[1]
}
