import { Button, Group } from '@mantine/core'
import type { Conflict } from '@saldo/client'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaldo } from '../../../context/saldo.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { forgetUndo, offerUndo } from '../../../ui/feedback/undo-stack.ts'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { delayedActs } from './delayed-acts.ts'

const KEPT_MS = 8_000

/** What is dismissed is forgotten for good: so that is done only once the way back is not offered any more. */
const dismissed = delayedActs(KEPT_MS)

export function keyOfConflict({ mine: { kind, id, updatedAt } }: Conflict): string {
  return `${kind} ${id} ${updatedAt}`
}

export function useDismissing() {
  const { t } = useTranslation()
  const { conflicts } = useSaldo()
  const { act } = useAct()
  useSyncExternalStore(dismissed.subscribe, dismissed.turn)

  const dismiss = (row: Conflict) => {
    const bringBack = dismissed.hold(keyOfConflict(row), async () => {
      forgetUndo(step)
      await act(conflicts.dismiss(row))
    })
    const step = offerUndo(async () => bringBack())
    showToast({
      message: (
        <Group justify="space-between" wrap="nowrap">
          <span>{t('sync.overridden.dismissed')}</span>
          <Button size="compact-sm" variant="light" onClick={() => void takeBack(step)}>
            {t('ui.undo')}
          </Button>
        </Group>
      ),
      autoClose: KEPT_MS,
      withBorder: true,
      closeButtonProps: { 'aria-label': t('ui.close') },
    })
  }
  const takeBack = async (step: () => Promise<unknown>) => {
    await forgetUndo(step)?.()
    showToast({ message: t('ui.undone'), withBorder: true })
  }
  return { isDismissed: (row: Conflict) => dismissed.has(keyOfConflict(row)), dismiss }
}
