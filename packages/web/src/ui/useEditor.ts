import { useCallback, useState } from 'react'
import type { OnDone } from './close-and-save.ts'
import { type Editors, noEditors, withOpened, withoutShown, withUnsaved } from './editors.ts'

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
