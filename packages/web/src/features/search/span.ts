/** The ids from one to another, both of them, in whichever order; the second alone where the first is not there. */
export function spanOf(ids: readonly string[], from: string | undefined, to: string): readonly string[] {
  const [first, last] = [from === undefined ? -1 : ids.indexOf(from), ids.indexOf(to)]
  if (first < 0 || last < 0) return [to]
  return ids.slice(Math.min(first, last), Math.max(first, last) + 1)
}
