import { createContext, use, useLayoutEffect } from 'react'

/** Tells what is around a form that it has changes that are not saved. Returns what ends this. */
export const UnsavedContext = createContext<() => () => void>(() => () => {})

/** Has the dialog or view around a form ask before it goes, while the form has changes. */
export function useUnsaved(isUnsaved: boolean): void {
  const begin = use(UnsavedContext)
  // A later effect would let the way back of the browser come between the first key and the question.
  useLayoutEffect(() => (isUnsaved ? begin() : undefined), [begin, isUnsaved])
}
