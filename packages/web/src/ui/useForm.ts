import { useState } from 'react'
import { useUnsaved } from './unsaved.ts'

/**
 * Holds the values of a form while a person edits them, and returns a function that changes some of them. The dialog or
 * view around it asks before changes go. `saved` are the values that the form has saved while it stays.
 */
export function useForm<Form extends object>(
  initial: Form | (() => Form),
  saved?: Form,
): [Form, (changed: Partial<Form>) => void] {
  const [form, setForm] = useState(initial)
  useUnsaved(useIsChanged(form, saved))
  return [form, (changed) => setForm((before) => ({ ...before, ...changed }))]
}

/** True while the values of a form differ from those that it has saved, or from the first ones. */
export function useIsChanged(form: object, saved?: object): boolean {
  const text = JSON.stringify(form)
  const [first] = useState(text)
  return text !== (saved ? JSON.stringify(saved) : first)
}

/** The values of a form, and what was wrong with them when they were checked. */
interface CheckedForm<Form, Problem> {
  form: Form
  problem: Problem | undefined
}

/** Returns the form with some other values. They may be right, so they have no problem until they are checked. */
export function withChanged<Form extends object, Problem>(
  { form }: CheckedForm<Form, Problem>,
  changed: Partial<Form>,
): CheckedForm<Form, Problem> {
  return { form: { ...form, ...changed }, problem: undefined }
}

/** Returns the form with its values and their problem. */
export function withProblem<Form, Problem>(
  { form }: CheckedForm<Form, Problem>,
  problem: Problem,
): CheckedForm<Form, Problem> {
  return { form, problem }
}

/** Holds the values of a form that is checked when it is submitted. `fail` shows what is wrong with them. */
export function useCheckedForm<Form extends object, Problem>(initial: () => Form) {
  const [checked, setChecked] = useState<CheckedForm<Form, Problem>>(() => ({ form: initial(), problem: undefined }))
  useUnsaved(useIsChanged(checked.form))
  return {
    ...checked,
    change: (changed: Partial<Form>) => setChecked((before) => withChanged(before, changed)),
    fail: (problem: Problem) => setChecked((before) => withProblem(before, problem)),
  }
}
