import type { RejectedChange } from '@saldo/client'
import { CommandError } from '../command-error.ts'
import { print, syncFacts, syncNotices, syncState, withDevice } from './session.ts'
import { counted, plain } from './text.ts'

const LONGEST_SYNC_MS = 600_000

/** Syncs until nothing is left to do, and lists changes that the service rejected. The exit code is 1 if it fails. */
export function sync(options: { json?: true; discardRejected?: true }): Promise<void> {
  return withDevice(async ({ saldo, syncWithin }) => {
    await syncWithin(LONGEST_SYNC_MS)
    const rejected = await saldo.rejectedChanges.list().read()
    if (options.discardRejected) for (const change of rejected) await saldo.rejectedChanges.discard(change)
    const status = await saldo.status.read()
    const state = syncState(status)
    const { unsent, conflicts } = status
    if (options.json) print(JSON.stringify({ ...syncFacts(status), rejected_changes: rejected.map(asJson) }))
    else {
      if (state === 'synced')
        print(unsent ? `${counted(unsent, 'change')} could not be sent yet` : 'everything is in sync')
      for (const each of rejected)
        print(`rejected${options.discardRejected ? ' and discarded' : ''}: ${reasonOf(each)}`)
      if (conflicts)
        print(`${counted(conflicts, 'change')} lost against later ones of other devices: the app shows them`)
    }
    if (state !== 'synced') throw new CommandError(syncNotices(status)[0] ?? state)
  })
}

function asJson({ change, problem }: RejectedChange): object {
  return { kind: change.kind, id: change.id, content: change.content, problem }
}

function reasonOf({ change, problem }: RejectedChange): string {
  const { errors, detail, title } = problem
  return `${change.kind} ${change.id}: ${plain(errors?.[0]?.detail ?? detail ?? title)}`
}
