/** Called when an editor closes; with what to edit again if it could not be saved. */
export type OnDone<Edited> = (next?: Edited) => void

/**
 * Closes an editor before its input is saved, because a change shows at once, and has it opened again with `again` if
 * that fails. `save` resolves to true if it worked.
 */
export async function closeAndSave<Edited>(
  onDone: OnDone<Edited>,
  save: () => Promise<boolean>,
  again: Edited,
): Promise<void> {
  onDone()
  if (!(await save())) onDone(again)
}
