/** Returns the name of a language in that language. */
export function ownName(tag: string): string {
  return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
}
