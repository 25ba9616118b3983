/** A value and the text that people choose it by; a string is both. */
export type Option = string | { value: string; label: string }

const keyOf = (option: Option) => (typeof option === 'string' ? option : option.value)
const textOf = (option: Option) => (typeof option === 'string' ? option : option.label)
const folded = (text: string) => text.trim().toLowerCase()

/** Returns the text of a choice; an empty one if there is no choice. */
export function labelOf(options: readonly Option[], value: string | null): string {
  const chosen = options.find((option) => keyOf(option) === value)
  return chosen === undefined ? '' : textOf(chosen)
}

/**
 * Returns the choice that a text means when its field is left: the option of that name, the only one that contains it,
 * or the present choice, of which the text is the name. Any other text is asked about.
 */
export function chosenByText(
  text: string,
  options: readonly Option[],
  value: string | null,
): { kind: 'taken'; value: string | null } | { kind: 'asked' } {
  if (text === labelOf(options, value)) return { kind: 'taken', value }
  const typed = folded(text)
  const named = options.filter((option) => folded(textOf(option)) === typed)
  const found = named.length > 0 ? named : options.filter((option) => folded(textOf(option)).includes(typed))
  const [only, other] = found
  return only !== undefined && other === undefined && typed !== ''
    ? { kind: 'taken', value: keyOf(only) }
    : { kind: 'asked' }
}
