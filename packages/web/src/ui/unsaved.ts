import { createContext, use, useLayoutEffect } from 'react'

/** Tells what is around a form that it has changes that are not saved. Returns what ends this. */
export const UnsavedContext = createContext<() => () => void>(() => () => {})

/** Has the dialog or view around a form ask before it goes, and the browser too, while the form has changes. */
export function useUnsaved(isUnsaved: boolean): void {
  const begin = use(UnsavedContext)
  // A later effect would let the way back of the browser come between the first key and the question.
  useLayoutEffect(() => {
    if (!isUnsaved) return undefined
    const end = begin()
    addEventListener('beforeunload', ask)
    return () => {
      end()
      removeEventListener('beforeunload', ask)
    }
  }, [begin, isUnsaved])
}

let isAskingToLeave = true

function ask(event: BeforeUnloadEvent): void {
  if (isAskingToLeave) event.preventDefault()
}

/** Goes to the start without a question: after another tab has signed its user out, nothing of them may stay. */
export function leaveAtOnce(): void {
  isAskingToLeave = false
  location.assign('/')
}
