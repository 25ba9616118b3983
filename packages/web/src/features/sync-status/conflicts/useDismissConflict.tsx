import { Button, Group } from '@mantine/core'
import type { Conflict } from '@saldo/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaldo } from '../../../context/saldo.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { forgetUndo, offerUndo } from '../../../ui/feedback/undo-stack.ts'
import { useAct } from '../../../ui/feedback/useAct.tsx'

const UNDO_MS = 8_000

export function conflictKey({ mine: { kind, id, updatedAt } }: Conflict): string {
  return `${kind} ${id} ${updatedAt}`
}

/** Hides dismissed conflicts at once, and deletes them when undo is no longer offered: deleting them is final. */
export function useDismissConflict() {
  const { t } = useTranslation()
  const { conflicts } = useSaldo()
  const { act } = useAct()
  const [dismissedKeys, setDismissedKeys] = useState<readonly string[]>([])

  const dismiss = (conflict: Conflict) => {
    const key = conflictKey(conflict)
    setDismissedKeys((keys) => [...keys, key])
    const timer = setTimeout(() => {
      forgetUndo(undo)
      void act(conflicts.dismiss(conflict))
    }, UNDO_MS)
    const undo = offerUndo(async () => {
      clearTimeout(timer)
      setDismissedKeys((keys) => keys.filter((other) => other !== key))
      showToast({ message: t('ui.undone'), withBorder: true })
    })
    showToast({
      message: (
        <Group justify="space-between" wrap="nowrap">
          <span>{t('sync.conflicts.dismissed')}</span>
          <Button size="compact-sm" variant="light" onClick={() => void forgetUndo(undo)?.()}>
            {t('ui.undo')}
          </Button>
        </Group>
      ),
      autoClose: UNDO_MS,
      withBorder: true,
      closeButtonProps: { 'aria-label': t('ui.close') },
    })
  }
  return { dismissedKeys, dismiss }
}
