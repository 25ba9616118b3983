import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { freeSpan } from '@saldo/client/entries'
import type { ZoneName } from '@saldo/core'
import { lazy, Suspense, useMemo } from 'react'
import { clock } from '../../context/clock.ts'
import { type EditedEntry, editedEntryOf, newWork } from '../../domain/entries/editor/edited-entry.ts'
import type { Day } from '../../domain/entries/useDay.ts'
import { withStrings } from '../../i18n/i18n.ts'
import { useEditor } from '../../ui/useEditor.ts'
import { isDialogOpen } from '../../ui/useShortcuts.ts'
import type { PaletteView } from './palette-model.ts'

const Palette = lazy(withStrings(() => import('./Palette.tsx')))
const EntryDialog = lazy(() => import('../../domain/entries/editor/EntryDialog.tsx'))
const SignOutDialog = lazy(() => import('../../domain/session/SignOutDialog.tsx'))

/** Opens the command palette by Ctrl/Cmd-K, from fields of views too, and the dialogs of what is chosen in it. */
export function PaletteKey({ views }: { views: readonly PaletteView[] }) {
  const [isOpen, { open, close }] = useDisclosure()
  const [isLeaving, { open: leave, close: stay }] = useDisclosure()
  const { shown, open: edit, onDone } = useEditor<{ entry: EditedEntry; zone: ZoneName }>()
  useHotkeys([['mod+K', () => isDialogOpen() || open()]], [])
  const acts = useMemo(
    () => ({
      onNewEntry: (day: Day) => edit({ entry: newWork(freeSpan(day, clock.now()), day.zone), zone: day.zone }),
      onSignOut: leave,
    }),
    [edit, leave],
  )
  return (
    <Suspense>
      {isOpen && (
        <Palette
          views={views}
          acts={acts}
          onClose={close}
          onEdit={(record, zone) => edit({ entry: editedEntryOf(record), zone })}
        />
      )}
      {isLeaving && <SignOutDialog onClose={stay} />}
      {shown && (
        <EntryDialog
          key={shown.key}
          edited={shown.edited.entry}
          zone={shown.edited.zone}
          onDone={(next) => onDone(next && { entry: next, zone: shown.edited.zone })}
        />
      )}
    </Suspense>
  )
}
