import { type RefObject, useEffect, useRef } from 'react'

/**
 * Returns the ref of a form whose first wrong field gets the focus when `problem` becomes another one than `undefined`.
 * Screen readers read the field with its error then.
 */
export function useInvalidFocus(problem: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (problem !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [problem])
  return form
}
