import { useState } from 'react'

/** The values of a form while a person edits them, and a function that changes some of them. */
export function useDraft<Draft extends object>(
  initial: Draft | (() => Draft),
): [Draft, (changed: Partial<Draft>) => void] {
  const [draft, setDraft] = useState(initial)
  return [draft, (changed) => setDraft((before) => ({ ...before, ...changed }))]
}

/** The values of a form, and what was wrong with them when they were checked. */
interface CheckedDraft<Draft, Problem> {
  draft: Draft
  problem: Problem | undefined
}

/** Returns the form with some other values. They may be right, so they have no problem until they are checked. */
export function withChanged<Draft extends object, Problem>(
  { draft }: CheckedDraft<Draft, Problem>,
  changed: Partial<Draft>,
): CheckedDraft<Draft, Problem> {
  return { draft: { ...draft, ...changed }, problem: undefined }
}

/** Returns the form with its values and their problem. */
export function withProblem<Draft, Problem>(
  { draft }: CheckedDraft<Draft, Problem>,
  problem: Problem,
): CheckedDraft<Draft, Problem> {
  return { draft, problem }
}

/** Holds the values of a form that is checked when it is submitted. `fail` shows what is wrong with them. */
export function useCheckedDraft<Draft extends object, Problem>(initial: () => Draft) {
  const [checked, setChecked] = useState<CheckedDraft<Draft, Problem>>(() => ({ draft: initial(), problem: undefined }))
  return {
    ...checked,
    change: (changed: Partial<Draft>) => setChecked((before) => withChanged(before, changed)),
    fail: (problem: Problem) => setChecked((before) => withProblem(before, problem)),
  }
}
