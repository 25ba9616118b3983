import { createContext, use, useEffect } from 'react'

/** Tells the dialog around a form whether the form has changes that are not saved. */
export const UnsavedContext = createContext<(isUnsaved: boolean) => void>(() => {})

/** Has the dialog around a form ask before it closes, while the form has changes. */
export function useUnsaved(isUnsaved: boolean): void {
  const tell = use(UnsavedContext)
  useEffect(() => {
    tell(isUnsaved)
    return () => tell(false)
  }, [tell, isUnsaved])
}
