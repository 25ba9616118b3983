/** A text as it is looked for: without upper case, accents and other marks. */
export function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** The words of what somebody looks for; all of them have to be found. */
export function wordsOf(query: string): string[] {
  return folded(query)
    .split(/\s+/)
    .filter((word) => word !== '')
}

/** True if a folded text contains all words, in any order. */
export function hasWords(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word))
}
