/** An open editor. Each has a key of its own, so that it does not take over the input of another one. */
interface OpenEditor<Edited> {
  key: number
  edited: Edited
}

/** The open editors of a view: the first one is shown, the others wait until it closes. */
export interface Editors<Edited> {
  open: readonly OpenEditor<Edited>[]
  nextKey: number
}

export const noEditors: Editors<never> = { open: [], nextKey: 0 }

/** Returns the editors with one that a person opens: it is shown at once, in place of the one that was shown. */
export function withOpened<Edited>({ open, nextKey }: Editors<Edited>, edited: Edited): Editors<Edited> {
  return { open: [{ key: nextKey, edited }, ...open.slice(1)], nextKey: nextKey + 1 }
}

/** Returns the editors with input that could not be saved. It waits for the others, which have input too. */
export function withUnsaved<Edited>({ open, nextKey }: Editors<Edited>, edited: Edited): Editors<Edited> {
  return { open: [...open, { key: nextKey, edited }], nextKey: nextKey + 1 }
}

/** Returns the editors without the one that is shown. */
export function withoutShown<Edited>({ open, nextKey }: Editors<Edited>): Editors<Edited> {
  return { open: open.slice(1), nextKey }
}
