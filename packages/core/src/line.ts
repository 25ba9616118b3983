/**
 * Matches characters that a line of text does not have: control characters, line and paragraph separators, lone
 * surrogates, and the controls that embed, isolate or override the direction of what follows them (UAX #9).
 */
const NOT_IN_LINES = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

/** True if a text is one line, which no terminal, calendar or list takes for more than its characters. */
export function isLine(text: string): boolean {
  return text.search(NOT_IN_LINES) === -1
}

/** Returns a text as one line: each run of characters that a line does not have is replaced, by default by a space. */
export function asLine(text: string, replace: (characters: string) => string = () => ' '): string {
  return text.replaceAll(NOT_IN_LINES, replace)
}
