/**
 * Returns the language among `known` for a reader of `wanted`, the most wanted first; English if none fits. A known
 * language fits a wanted one in the same script: best that of the same region, then the one without a region, then that
 * of another region. So `zh-HK` gets `zh-TW` and not `zh-CN`, and `pt-PT` gets `pt` or else `pt-BR`.
 */
export function languageFor(wanted: readonly string[], known: readonly string[]): string {
  const found = wanted.map((tag) => closest(tag, known)).find((language) => language !== undefined)
  return found ?? 'en'
}

/**
 * Returns the locale to write numbers and times in: the browser's own one of the language, if it has one, such as
 * `en-GB`.
 */
export function localeFor(language: string, wanted: readonly string[]): string {
  return wanted.find((tag) => isSameLanguage(tag, language)) ?? language
}

function closest(wanted: string, known: readonly string[]): string | undefined {
  const fitting = known.filter((tag) => isSameLanguage(tag, wanted))
  const region = partsOf(wanted)?.region
  return (
    fitting.find((tag) => partsOf(tag)?.region === region) ??
    fitting.find((tag) => new Intl.Locale(tag).region === undefined) ??
    fitting[0]
  )
}

/** True if a reader of one reads the other: the same language in the same script. */
function isSameLanguage(one: string, other: string): boolean {
  const [a, b] = [partsOf(one), partsOf(other)]
  return a !== undefined && b !== undefined && a.language === b.language && a.script === b.script
}

/**
 * Returns language, script and region of a tag, the likely ones where it names none; `undefined` for a text that is no
 * tag. Variants and extensions, as in `de-DE-1996`, are left out.
 */
function partsOf(tag: string): Intl.Locale | undefined {
  const known = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?(?=-|$)/i.exec(tag)
  return known ? new Intl.Locale(known[0]).maximize() : undefined
}
