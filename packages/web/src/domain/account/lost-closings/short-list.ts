const MOST = 4

/** Returns the names to show, four at most, and how many others there are. */
export function shortListOf(names: readonly string[]): { shown: string[]; otherCount: number } {
  const shown = names.length > MOST ? names.slice(0, MOST - 1) : [...names]
  return { shown, otherCount: names.length - shown.length }
}
