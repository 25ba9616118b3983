import { expect, test } from 'vitest'
import { chanceOf } from '../../simulation/chance.ts'
import type { Note } from './notes.ts'
import { UnsyncedDisk } from './unsynced-disk.ts'

const wrote = (offset: number, text: string): Note => ({ what: 'wrote', file: 1, offset, bytes: Buffer.from(text) })

/** Returns the states of `a` after power losses, each once; undefined without a file. */
function left(notes: readonly Note[], lies?: string): Set<string | undefined> {
  const chance = chanceOf(1)
  const losses = Array.from({ length: 300 }, () => {
    const disk = new UnsyncedDisk(lies)
    for (const note of notes) disk.apply(note)
    return disk.afterPowerLoss(chance).get('a')?.toString()
  })
  return new Set(losses)
}

const made: Note[] = [{ what: 'made', file: 1, name: 'a' }, { what: 'folder synced' }]
const synced: Note = { what: 'synced', file: 1 }

test('a power loss keeps synced data and any part of later writes', () => {
  expect(left([...made, wrote(0, 'one'), synced])).toEqual(new Set(['one']))
  expect(left([...made, wrote(0, 'one'), synced, wrote(3, 'XY')])).toEqual(new Set(['one', 'oneX', 'oneXY']))
  const sectors = left([...made, wrote(0, 'x'.repeat(512)), wrote(512, 'y')])
  expect(sectors).toContain(`${'\0'.repeat(512)}y`)
  expect(left([...made, wrote(0, 'one'), synced, { what: 'cut', file: 1, length: 1 }])).toEqual(new Set(['one', 'o']))
  expect(left([...made, wrote(0, 'one'), synced], 'a')).toContain('')
})

test('a file name is durable once its folder is synced, even if its file is not', () => {
  const unnamed: Note[] = [{ what: 'made', file: 1, name: 'b' }, wrote(0, 'one'), synced, { what: 'folder synced' }]
  const renamed: Note[] = [...unnamed, { what: 'renamed', from: 'b', to: 'a' }]
  expect(left(renamed)).toEqual(new Set([undefined, 'one']))
  expect(left([...renamed, { what: 'folder synced' }])).toEqual(new Set(['one']))
  expect(left([...renamed, { what: 'folder synced' }, { what: 'removed', name: 'a' }])).toEqual(
    new Set(['one', undefined]),
  )
})
