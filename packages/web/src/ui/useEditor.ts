import { useCallback, useState } from 'react'

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

/** Called when an editor closes; with what to edit again if it could not be saved. */
export type OnDone<Edited> = (next?: Edited) => void

/**
 * Closes an editor before its input is saved, because a change shows at once, and has it opened again with `again` if
 * that fails. `save` resolves to true if it worked.
 */
export async function closeAndSave<Edited>(
  onDone: OnDone<Edited>,
  save: () => Promise<boolean>,
  again: Edited,
): Promise<void> {
  onDone()
  if (!(await save())) onDone(again)
}

interface Editor<Edited> {
  /** The editor to show, with its key for React. */
  shown: Editors<Edited>['open'][number] | undefined
  open(edited: Edited): void
  onDone: OnDone<Edited>
}

/** Holds the editor that a view shows, and input that could not be saved. */
export function useEditor<Edited>(): Editor<Edited> {
  const [editors, setEditors] = useState<Editors<Edited>>(noEditors)
  const open = useCallback((edited: Edited) => setEditors((before) => withOpened(before, edited)), [])
  const onDone = useCallback<OnDone<Edited>>(
    (next) => setEditors((before) => (next === undefined ? withoutShown(before) : withUnsaved(before, next))),
    [],
  )
  return { shown: editors.open[0], open, onDone }
}
