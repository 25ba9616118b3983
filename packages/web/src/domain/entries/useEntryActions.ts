import { systemRandom } from '@saldo/client'
import { type EntryMutation, undoableMutations } from '@saldo/client/entries'
import { useSaldo } from '@saldo/client/react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useAct } from '../../ui/feedback/useAct.tsx'

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
  const { entries } = useSaldo()
  const { actWithUndo } = useAct()
  return useMemo(() => {
    const make: EntryActions['make'] = (changes, message, on) => {
      const { make, takeBack } = undoableMutations(entries, changes, systemRandom.uuid)
      const makeAndTell = () => {
        const { queued, settled } = make()
        return { queued: queued.then(() => on?.kept?.()), settled }
      }
      const takeBackAndTell = () => {
        on?.takenBack?.()
        return takeBack()
      }
      return actWithUndo(makeAndTell, message, takeBackAndTell)
    }
    return { make, remove: (record) => make([{ op: 'delete', record }], t('entries.deleted')) }
  }, [entries, actWithUndo, t])
}
