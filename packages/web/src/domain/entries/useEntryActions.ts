import { systemRandom } from '@saldo/client'
import { type EntryMutation, undoableMutations } from '@saldo/client/entries'
import { useSaldo } from '@saldo/client/react'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useAct } from '../../ui/feedback/useAct.tsx'
import { forgetChanges, keepChanges, keptChanges } from './kept-undo.ts'

/** Actions on entries. Everything shows at once; the promises resolve to true if it worked. */
export interface EntryActions {
  /** Makes changes that can be undone together, and shows the message. */
  make(changes: readonly EntryMutation[], message?: string, on?: OnChanges): Promise<boolean>
  /** Deletes an entry; this can be undone. */
  remove(record: Extract<EntryMutation, { op: 'delete' }>['record']): Promise<boolean>
}

/** Callbacks for what becomes of changes. */
interface OnChanges {
  /** The local store has them. */
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
      const id = systemRandom.uuid()
      const changes = wanted.map((change) => (change.op === 'create' ? { id: systemRandom.uuid(), ...change } : change))
      const { make, takeBack } = undoableMutations(entries, changes, systemRandom.uuid)
      const makeAndTell = () => {
        const { queued, settled } = make()
        return { queued: queued.then(() => on?.kept?.()), settled }
      }
      const takeBackAndTell = () => {
        on?.takenBack?.()
        forgetChanges(user, id)
        return takeBack()
      }
      keepChanges(user, { id, changes })
      const isMade = await actWithUndo(makeAndTell, message, takeBackAndTell)
      if (!isMade) forgetChanges(user, id)
      return isMade
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
      offerUndoOf(() => {
        forgetChanges(user, id)
        return undoableMutations(entries, changes, systemRandom.uuid).takeBack()
      })
    }
  }, [])
}
