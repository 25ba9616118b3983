import { useDisclosure, useHotkeys } from '@mantine/hooks'
import type { ZoneName } from '@saldo/core'
import { lazy, Suspense } from 'react'
import { type EditedEntry, editedEntryOf } from '../../domain/entries/editor/edited-entry.ts'
import { useEditor } from '../../ui/useEditor.ts'
import type { PaletteView } from './palette-model.ts'

const Palette = lazy(() => import('./Palette.tsx'))
const EntryDialog = lazy(() => import('../../domain/entries/editor/EntryDialog.tsx'))

/** Opens the command palette by Ctrl/Cmd-K, from fields too, and the entry that is chosen in it. */
export function PaletteKey({ views }: { views: readonly PaletteView[] }) {
  const [isOpen, { open, close }] = useDisclosure()
  const { shown, open: edit, onDone } = useEditor<{ entry: EditedEntry; zone: ZoneName }>()
  useHotkeys([['mod+K', open]], [])
  return (
    <Suspense>
      {isOpen && (
        <Palette
          views={views}
          onClose={close}
          onEdit={(record, zone) => edit({ entry: editedEntryOf(record), zone })}
        />
      )}
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
