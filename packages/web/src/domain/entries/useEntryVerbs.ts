import { systemRandom } from '@saldo/client'
import { type Change, stepOfChanges } from '@saldo/client/entries'
import { useSaldo } from '@saldo/client/react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useAct } from '../../ui/feedback/useAct.tsx'

/** Actions on entries. Everything shows at once; the promises resolve to true if it worked. */
export interface EntryVerbs {
  /** Makes changes that can be undone together, and shows the message. Calls `onKept` once the local store has them. */
  make(changes: readonly Change[], message?: string, onKept?: () => void): Promise<boolean>
  /** Deletes an entry; this can be undone. */
  remove(record: Extract<Change, { op: 'delete' }>['record']): Promise<boolean>
}

export function useEntryVerbs(): EntryVerbs {
  const { t } = useTranslation()
  const { entries } = useSaldo()
  const { actWithUndo } = useAct()
  return useMemo(() => {
    const make: EntryVerbs['make'] = (changes, message, onKept) => {
      const { make, takeBack } = stepOfChanges(entries, changes, systemRandom.uuid)
      const makeAndTell = (onQueued: () => void) =>
        make(() => {
          onKept?.()
          onQueued()
        })
      return actWithUndo(makeAndTell, message, takeBack)
    }
    return { make, remove: (record) => make([{ op: 'delete', record }], t('entries.deleted')) }
  }, [entries, actWithUndo, t])
}
