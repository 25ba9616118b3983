import type { RejectedChange, Saldo } from '@saldo/client'
import { CommandError } from '../command-error.ts'
import { print, printJson } from '../output.ts'
import { rejectedLine } from './rejected.ts'
import { sessionOf, syncFacts, syncNotices, syncState, withDevice } from './session.ts'
import { counted } from './text.ts'

const LONGEST_SYNC_MS = 600_000

/** Options of `saldo sync`. */
export interface SyncOptions {
  json?: true
  retryRejected?: true
  discardRejected?: true
}

/** Syncs until nothing is left to do, and lists changes that the service rejected. The exit code is 1 if it fails. */
export function sync(options: SyncOptions): Promise<void> {
  return withDevice(async (device) => {
    const { saldo, syncWithin } = device
    if (options.retryRejected) for (const each of await rejectedOf(saldo)) await saldo.rejectedChanges.retry(each)
    await syncWithin(LONGEST_SYNC_MS)
    const rejected = await rejectedOf(saldo)
    if (options.discardRejected) for (const each of rejected) await saldo.rejectedChanges.discard(each)
    const status = await saldo.status.read()
    const state = syncState(status)
    const { unsent, conflicts } = status
    if (options.json) printJson({ ...syncFacts(status), rejected_changes: rejected.map(asJson) })
    else {
      if (state === 'synced')
        print(unsent ? `${counted(unsent, 'change')} could not be sent yet` : 'everything is in sync')
      const { zone } = await sessionOf(device)
      for (const each of rejected)
        print(`rejected${options.discardRejected ? ' and discarded' : ''}: ${rejectedLine(each, zone)}`)
      if (rejected.length > 0 && !options.discardRejected)
        print('--retry-rejected sends them again, --discard-rejected forgets them, «saldo edit ID» changes an entry')
      if (conflicts)
        print(`${counted(conflicts, 'change')} lost against later ones of other devices: the app shows them`)
    }
    if (state !== 'synced') throw new CommandError(syncNotices(status)[0] ?? state)
  })
}

const rejectedOf = (saldo: Saldo) => saldo.rejectedChanges.list().read()

function asJson({ change, problem }: RejectedChange): object {
  return { kind: change.kind, id: change.id, content: change.content, problem }
}
