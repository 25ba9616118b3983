/** The values of a form, and what was wrong with them when they were checked. */
export interface CheckedDraft<Draft, Problem> {
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
