import { Box, Button, Group } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { forgetKeptUndo } from '../../context/kept-for-reload.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { failureOf } from './failure.ts'
import { showToast } from './messages.tsx'
import { beginWork, offerUndo } from './undo-stack.ts'

const SHOWN_MS = 8_000

/** Work that survives a reload once it is `queued`, before it is done. */
interface Work {
  queued: Promise<unknown>
  settled: Promise<unknown>
}

/** Work with its undo. */
interface UndoableWork {
  make(): Work | Promise<unknown>
  takeBack(): Promise<unknown>
  /** True if what the work made has changed since, also on another device: its undo would lose that. */
  hasChanged?: () => Promise<boolean>
}

/** Runs actions and shows their outcome to the user. */
export interface Acts {
  /** Waits for the work and shows its error. Resolves to true if it succeeded. */
  act(work: Promise<unknown>): Promise<boolean>
  /**
   * Does the same for work that can be undone, at once by a key. Shows the message, if there is one, as soon as the
   * work survives a reload. Unless the caller keeps the undo too (`isUndoKept`), nothing can be undone after a reload.
   */
  actWithUndo(work: UndoableWork, message: string | undefined, options?: { isUndoKept: boolean }): Promise<boolean>
  /** Lets a key undo what was done before. */
  offerUndoOf(work: Pick<UndoableWork, 'takeBack' | 'hasChanged'>): void
}

export function useAct(): Acts {
  const { t } = useTranslation()
  return useMemo(() => {
    const show = (message: ReactNode, color?: string) =>
      showToast({
        message,
        role: 'group',
        autoClose: SHOWN_MS,
        withBorder: true,
        closeButtonProps: { 'aria-label': t('ui.close') },
        ...(color !== undefined && { color }),
      })

    const act: Acts['act'] = async (work) => {
      try {
        await work
        return true
      } catch (error) {
        const { key, detail } = failureOf(error)
        show(t(key, { detail }), 'red')
        return false
      }
    }

    const undoOf =
      ({ takeBack, hasChanged }: Pick<UndoableWork, 'takeBack' | 'hasChanged'>) =>
      async () => {
        if (await hasChanged?.()) return show(t('ui.changedSince'), 'red')
        show(t('ui.undone'))
        await act(takeBack())
      }

    const actWithUndo: Acts['actWithUndo'] = async (work, message, { isUndoKept } = { isUndoKept: false }) => {
      if (!isUndoKept) forgetKeptUndo()
      const begun = work.make()
      const { queued, settled } = begun instanceof Promise ? { queued: begun, settled: begun } : begun
      const { undo, kept, done } = beginWork(queued, act(settled), undoOf(work))
      if ((await kept) && message !== undefined) {
        show(
          <Group justify="space-between">
            <Box component="span" flex="1 1 8rem">
              {message}
            </Box>
            <Button size="compact-sm" variant="light" onClick={() => void undo()}>
              {t('ui.undo')}
            </Button>
          </Group>,
        )
      }
      return done
    }

    return { act, actWithUndo, offerUndoOf: (work) => void offerUndo(undoOf(work)) }
  }, [t])
}
