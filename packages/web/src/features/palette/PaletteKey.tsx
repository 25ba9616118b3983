import { useDisclosure, useHotkeys } from '@mantine/hooks'
import type { ZoneName } from '@saldo/core'
import { lazy, Suspense, useState } from 'react'
import { type EditedEntry, editedEntryOf } from '../../domain/entries/editor/edited-entry.ts'
import type { PaletteView } from './commands.ts'

const Palette = lazy(() => import('./Palette.tsx'))
const EntryDialog = lazy(() => import('../../domain/entries/editor/EntryDialog.tsx'))

/** Opens the command palette by Ctrl/Cmd-K, from fields too, and the entry that is chosen in it. */
export function PaletteKey({ views }: { views: readonly PaletteView[] }) {
  const [isOpen, { open, close }] = useDisclosure()
  const [editing, setEditing] = useState<{ edited: EditedEntry; zone: ZoneName }>()
  useHotkeys([['mod+K', open]], [])
  return (
    <Suspense>
      {isOpen && (
        <Palette
          views={views}
          onClose={close}
          onEdit={(record, zone) => setEditing({ edited: editedEntryOf(record), zone })}
        />
      )}
      {editing && (
        <EntryDialog {...editing} onDone={(next) => setEditing(next && { edited: next, zone: editing.zone })} />
      )}
    </Suspense>
  )
}
