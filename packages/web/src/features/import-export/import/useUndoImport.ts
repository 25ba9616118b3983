import { undoImport } from '@saldo/client/import'
import { useSaldo } from '@saldo/client/react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { showToast } from '../../../ui/feedback/messages.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'

/** Returns a function that deletes the entries of a batch, and says so. */
export function useUndoImport(): (batch: string) => Promise<boolean> {
  const { t } = useTranslation()
  const format = useFormat()
  const saldo = useSaldo()
  const { act } = useAct()
  const undo = async (batch: string) => {
    const count = await undoImport(saldo, batch)
    showToast({
      message: t('importExport.undo.done', { count, shown: format.number(count) }),
      closeButtonProps: { 'aria-label': t('ui.close') },
    })
  }
  return (batch) => act(undo(batch))
}
