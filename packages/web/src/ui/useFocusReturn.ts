import { useEffect, useState } from 'react'
import { focusFirst, lastFocusOnPage } from './focus.ts'

/** Puts the focus back where it was before the component, when it goes. */
export function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(() => () => focusFirst(before, lastFocusOnPage()), [before])
}
