import { useState } from 'react'

/** The values of a form while a person edits them, and a function that changes some of them. */
export function useForm<Draft extends object>(
  initial: Draft | (() => Draft),
): [Draft, (changed: Partial<Draft>) => void] {
  const [draft, setDraft] = useState(initial)
  return [draft, (changed) => setDraft((before) => ({ ...before, ...changed }))]
}

/** The values of a form, and what was wrong with them when they were checked. */
interface CheckedForm<Draft, Problem> {
  draft: Draft
  problem: Problem | undefined
}

/** Returns the form with some other values. They may be right, so they have no problem until they are checked. */
export function withChanged<Draft extends object, Problem>(
  { draft }: CheckedForm<Draft, Problem>,
  changed: Partial<Draft>,
): CheckedForm<Draft, Problem> {
  return { draft: { ...draft, ...changed }, problem: undefined }
}

/** Returns the form with its values and their problem. */
export function withProblem<Draft, Problem>(
  { draft }: CheckedForm<Draft, Problem>,
  problem: Problem,
): CheckedForm<Draft, Problem> {
  return { draft, problem }
}

/** Holds the values of a form that is checked when it is submitted. `fail` shows what is wrong with them. */
export function useCheckedForm<Draft extends object, Problem>(initial: () => Draft) {
  const [checked, setChecked] = useState<CheckedForm<Draft, Problem>>(() => ({ draft: initial(), problem: undefined }))
  return {
    ...checked,
    change: (changed: Partial<Draft>) => setChecked((before) => withChanged(before, changed)),
    fail: (problem: Problem) => setChecked((before) => withProblem(before, problem)),
  }
}
