/** The names of columns that name a person, in English and German. */
export const personColumns = {
  email: /^((firmen|work|company|business)[ -]?)?(e-?mail|mail)([ -]?(adresse|address))?$|^(upn|user principal name)$/i,
  first: /^(first|vorname|given)/i,
  last: /^(last|nachname|familienname|surname|family)[^,]*$/i,
  name: /^(full |display |last, ?first |nachname, ?vor)?name$|^(mitarbeiter(in)?|mitarbeitende|employee|person)$/i,
} as const

/** Returns the place of each column, the first of several with one meaning. */
export function findColumns<Column extends string>(
  header: readonly string[],
  names: Readonly<Record<Column, RegExp>>,
): Map<Column, number> {
  const found = new Map<Column, number>()
  for (const [place, text] of header.entries()) {
    const column = (Object.keys(names) as Column[]).find((each) => names[each].test(text.trim()))
    if (column && !found.has(column)) found.set(column, place)
  }
  return found
}

/** Returns the names of the columns that nothing is read from. */
export function unreadColumns(header: readonly string[], found: ReadonlyMap<unknown, number>): string[] {
  const places = new Set(found.values())
  return header.flatMap((name, place) => (name.trim() === '' || places.has(place) ? [] : [name.trim()]))
}

/** Returns a name as it is compared: in one case, with single spaces, its letters in one form. */
export function comparedName(name: string): string {
  return name.normalize().toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Returns the name of a line. A column `Name` beside first names alone has the last names. */
export function nameIn(cell: (column: 'first' | 'last' | 'name') => string): string {
  const [first, last, name] = [cell('first'), cell('last'), cell('name')]
  if (last === '' && (first === '' || ` ${name} `.includes(` ${first} `))) return name || first
  return [first, last || name].filter(Boolean).join(' ')
}
