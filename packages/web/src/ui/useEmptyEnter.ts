import { type KeyboardEvent, useRef } from 'react'

/**
 * Returns a handler that keeps Enter in an emptied field from taking an option that nobody moved to: the list of a
 * combobox still has its first option highlighted when the text is gone.
 */
export function useEmptyEnter(value: string) {
  const hasMoved = useRef(false)
  return (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') hasMoved.current = true
    else if (event.key !== 'Enter') hasMoved.current = false
    else if (value.trim() === '' && !hasMoved.current) event.stopPropagation()
  }
}
