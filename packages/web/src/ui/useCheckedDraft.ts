import { useState } from 'react'
import { type CheckedDraft, withChanged, withProblem } from './checked-draft.ts'

/** Holds the values of a form that is checked when it is submitted. `fail` shows what is wrong with them. */
export function useCheckedDraft<Draft extends object, Problem>(initial: () => Draft) {
  const [checked, setChecked] = useState<CheckedDraft<Draft, Problem>>(() => ({ draft: initial(), problem: undefined }))
  return {
    ...checked,
    change: (changed: Partial<Draft>) => setChecked((before) => withChanged(before, changed)),
    fail: (problem: Problem) => setChecked((before) => withProblem(before, problem)),
  }
}
