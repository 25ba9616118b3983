/** The texts that are remembered: those of some months, which come again in each row. */
const MOST_TEXTS = 10_000
/** A longer text is read again, and is not kept. */
const LONGEST_REMEMBERED = 2_000

/** Returns a function that reads each text once: the cells of a table repeat each other. */
export function remembered<T>(read: (text: string) => T): (text: string) => T {
  const valuesByText = new Map<string, { value: T }>()
  return (text) => {
    if (text.length > LONGEST_REMEMBERED) return read(text)
    const known = valuesByText.get(text)
    if (known) return known.value
    if (valuesByText.size >= MOST_TEXTS) valuesByText.clear()
    const value = read(text)
    valuesByText.set(text, { value })
    return value
  }
}
