/** Returns an item that must exist, from the end for a negative index. Throws `RangeError` if it does not exist. */
/* @__NO_SIDE_EFFECTS__ */
export function itemAt<T>(items: readonly T[], index: number): T {
  const item = items.at(index)
  if (item === undefined) throw new RangeError(`there is no item ${index}`)
  return item
}

/** Returns the names of an object's fields: of those that its type names, since it was made with no others. */
/* @__NO_SIDE_EFFECTS__ */
export function namesOf<T extends object>(fields: T): (keyof T & string)[] {
  return Object.keys(fields) as (keyof T & string)[]
}

/** Returns an object with one field for each name. */
/* @__NO_SIDE_EFFECTS__ */
export function fieldsFor<Name extends string, T>(
  names: readonly Name[],
  valueFor: (name: Name) => T,
): Record<Name, T> {
  return Object.fromEntries(names.map((name) => [name, valueFor(name)])) as Record<Name, T>
}
