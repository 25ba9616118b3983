import { expect, test } from 'vitest'
import { closeAndSave, type Editors, noEditors, withOpened, withoutShown, withUnsaved } from './useEditor.ts'

const shownIn = (editors: Editors<string>) => editors.open[0]?.edited

test('an editor is shown until it closes', () => {
  const opened = withOpened(noEditors, 'lunch')
  expect([noEditors, opened, withoutShown(opened)].map(shownIn)).toEqual([undefined, 'lunch', undefined])
})

test('of two editors that are opened before the first appears, the second is shown', () => {
  const opened = withOpened(withOpened(noEditors, 'lunch'), 'dinner')
  expect([opened, withoutShown(opened)].map(shownIn)).toEqual(['dinner', undefined])
})

test('input that cannot be saved is shown again, and waits for an editor that was opened meanwhile', () => {
  expect(shownIn(withUnsaved(noEditors, 'not saved'))).toBe('not saved')
  const both = withUnsaved(withOpened(noEditors, 'opened meanwhile'), 'not saved')
  const replaced = withOpened(both, 'opened next')
  expect([both, withoutShown(both)].map(shownIn)).toEqual(['opened meanwhile', 'not saved'])
  expect([replaced, withoutShown(replaced)].map(shownIn)).toEqual(['opened next', 'not saved'])
})

test('each editor has a key of its own, also if the same input is edited again', () => {
  const first = withOpened(noEditors, 'lunch')
  const again = withUnsaved(withoutShown(first), 'lunch')
  const keys = [first, again, withUnsaved(again, 'lunch')].map(({ open }) => open.map(({ key }) => key))
  expect([...keys, withOpened(again, 'lunch').open.map(({ key }) => key)]).toEqual([[0], [1], [1, 2], [2]])
})

/** Saves from an editor. Returns what the editor was told while and after it was saved. */
async function told(isSaved: boolean): Promise<{ meanwhile: unknown[]; after: unknown[] }> {
  const after: unknown[] = []
  const onDone = (next?: string) => after.push(next ?? 'closed')
  let meanwhile: unknown[] = []
  const save = async () => {
    meanwhile = [...after]
    return isSaved
  }
  await closeAndSave<string>(onDone, save, 'input')
  return { meanwhile, after }
}

test('an editor closes before its input is saved, and stays closed if that works', async () => {
  expect(await told(true)).toEqual({ meanwhile: ['closed'], after: ['closed'] })
})

test('an editor opens again with its input if that cannot be saved', async () => {
  expect(await told(false)).toEqual({ meanwhile: ['closed'], after: ['closed', 'input'] })
})
