import { useState } from 'react'

/** The values of a form while a person edits them, and a function that changes some of them. */
export function useDraft<Draft extends object>(
  initial: Draft | (() => Draft),
): [Draft, (changed: Partial<Draft>) => void] {
  const [draft, setDraft] = useState(initial)
  return [draft, (changed) => setDraft((before) => ({ ...before, ...changed }))]
}
