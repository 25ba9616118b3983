import { knownNames } from '@saldo/client/entries'
import { asLine } from '@saldo/core'
import type { NameKind } from '../completion.ts'
import { print } from '../output.ts'
import { shortIdLength } from './describe.ts'
import { sessionOf, withDevice } from './session.ts'
import { readSignIn } from './sign-in-file.ts'

/** Ids of the newest entries: those that somebody edits. */
const RECENT_IDS = 50

/** Prints names of the local copy, one a line, for the completion of a shell: nothing if nobody is signed in. */
export async function printNames(kind: NameKind): Promise<void> {
  if (!readSignIn()) return
  await withDevice(async (device) => {
    const { saldo } = await sessionOf(device)
    const entries = (await saldo.entries.all().read()).map((row) => row.record)
    for (const name of kind === 'ids' ? recentIds(entries) : knownNames(entries)[kind]) print(asLine(name))
  })
}

function recentIds(entries: readonly { id: string; updated_at: string }[]): string[] {
  const length = shortIdLength(entries.map(({ id }) => id))
  const newest = entries.toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1)).slice(0, RECENT_IDS)
  return newest.map(({ id }) => id.slice(0, length))
}
