import { systemRandom } from '@saldo/client'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaldo } from '../../context/saldo.tsx'
import { useAct } from '../../ui/feedback/useAct.tsx'
import { type Change, makeChanges } from './changes.ts'

/** All show at once. Resolved with whether they worked, once the service has answered or cannot be reached. */
export interface EntryVerbs {
  /**
   * They can be taken back together, from now on. With a message, it is told what was done. They are made now, or `after` what
   * is told.
   */
  make(changes: readonly Change[], message?: string, after?: Promise<unknown>): Promise<boolean>
  /** Deletes, with the way back. */
  remove(record: Extract<Change, { op: 'delete' }>['record']): Promise<boolean>
}

export function useEntryVerbs(): EntryVerbs {
  const { t } = useTranslation()
  const { entries } = useSaldo()
  const { actUndoably } = useAct()
  return useMemo(() => {
    const make: EntryVerbs['make'] = (changes, message, after) => {
      const { settled, takeBack } = makeChanges(entries, changes, systemRandom.uuid, after)
      return actUndoably(settled, message, takeBack)
    }
    return { make, remove: (record) => make([{ op: 'delete', record }], t('entries.deleted')) }
  }, [entries, actUndoably, t])
}
