/**
 * Gives the rows of a list that scrolls the keys of their elements. A row keeps its own while it is there; where most are
 * others at once, as where the bar is dragged, they are given those of the rows before them, in order: an element that is
 * used again costs half of a new one, and leaves nothing to be collected. `isFixed`: each element is to stay what it is.
 */
export function rowKeys(): (ids: readonly string[], isFixed: boolean) => readonly number[] {
  let known: ReadonlyMap<string, number> = new Map()
  let next = 0
  return (ids, isFixed) => {
    const kept = ids.filter((id) => known.has(id)).length
    const given = [...known.values()]
    const isElsewhere = !isFixed && kept < ids.length / 2
    const keys = ids.map((id, place) => (isElsewhere ? given[place] : known.get(id)) ?? next++)
    known = new Map(ids.map((id, place) => [id, keys[place] as number]))
    return keys
  }
}
