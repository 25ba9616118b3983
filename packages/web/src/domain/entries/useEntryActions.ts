import { type Saldo, systemRandom } from '@saldo/client'
import { type EntryMutation, haveChangedSince, undoableMutations } from '@saldo/client/entries'
import { useSaldo } from '@saldo/client/react'
import { useEffect, useMemo } from 'react'
import { useTranslation } from '../../i18n/translation.ts'
import { useAct } from '../../ui/feedback/useAct.tsx'
import { corrections } from '../team/corrections.ts'
import { forgetChanges, keepChanges, keptChanges } from './kept-undo.ts'

/** The outcome of changes: `asked` if a request for a correction holds them, in whole or in part. */
type Outcome = 'made' | 'asked' | 'failed'

/** Actions on entries. Everything shows at once. */
export interface EntryActions {
  /**
   * Makes changes that can be undone together, and shows the message. Those that touch a locked month are asked for, if
   * the user wants that: with a message if there is one, or else after a dialog (D27.19).
   */
  make(changes: readonly EntryMutation[], message?: string, on?: OnChanges): Promise<Outcome>
  /** Deletes an entry; this can be undone. */
  remove(record: Extract<EntryMutation, { op: 'delete' }>['record']): Promise<Outcome>
}

/** Callbacks for the outcome of changes, and the message of a request. */
interface OnChanges {
  /** The message of a request for a correction, from a form that has said that it asks for one. */
  askedWith?: string | undefined
  /** The local store has them, or the request for them. */
  kept?: () => void
  /** The user takes them back. */
  takenBack?: () => void
}

export function useEntryActions(): EntryActions {
  const { t } = useTranslation()
  const { entries, user } = useSaldo()
  const { actWithUndo } = useAct()
  return useMemo(() => {
    const make: EntryActions['make'] = async (wanted, message, on) => {
      const locked = corrections()?.lockedOf(wanted) ?? []
      if (locked.length === 0) return makeOpen(wanted, message, on)
      if (!(await corrections()?.ask(locked, on?.askedWith))) return 'failed'
      const open = wanted.filter((change) => !locked.includes(change))
      if (open.length > 0 && (await makeOpen(open, message, on)) === 'failed') return 'failed'
      on?.kept?.()
      return 'asked'
    }
    const makeOpen: EntryActions['make'] = async (wanted, message, on) => {
      const id = systemRandom.uuid()
      const changes = wanted.map((change) => (change.op === 'create' ? { id: systemRandom.uuid(), ...change } : change))
      const { make, takeBack } = undoableMutations(entries, changes, systemRandom.uuid)
      const work = {
        make() {
          const { queued, settled } = make()
          return { queued: queued.then(() => on?.kept?.()), settled }
        },
        takeBack() {
          on?.takenBack?.()
          forgetChanges(user, id)
          return takeBack()
        },
        hasChanged: () => haveChanged(entries, changes),
      }
      keepChanges(user, { id, changes })
      const isMade = await actWithUndo(work, message, { isUndoKept: true })
      if (isMade) return 'made'
      forgetChanges(user, id)
      return 'failed'
    }
    return { make, remove: (record) => make([{ op: 'delete', record }], t('entries.deleted')) }
  }, [entries, user, actWithUndo, t])
}

/** Offers to undo the changes of before a reload, by the key and the palette. */
export function useKeptUndo(): void {
  const { entries, user } = useSaldo()
  const { offerUndoOf } = useAct()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once after each load of the page
  useEffect(() => {
    for (const { id, changes } of keptChanges(user)) {
      offerUndoOf({
        takeBack() {
          forgetChanges(user, id)
          return undoableMutations(entries, changes, systemRandom.uuid).takeBack()
        },
        hasChanged: () => haveChanged(entries, changes),
      })
    }
  }, [])
}

/** True if what changes made of entries has changed since. */
async function haveChanged(entries: Saldo['entries'], changes: readonly EntryMutation[]): Promise<boolean> {
  const all = await entries.all().read()
  return haveChangedSince(
    changes,
    all.map(({ record }) => record),
  )
}
