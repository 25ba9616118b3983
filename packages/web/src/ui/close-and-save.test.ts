import { expect, test } from 'vitest'
import { closeAndSave } from './close-and-save.ts'

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
