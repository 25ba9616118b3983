import { useDisclosure, useHotkeys } from '@mantine/hooks'
import type { ZoneName } from '@saldo/core'
import { lazy, Suspense, useState } from 'react'
import { type Edited, editOf } from '../../domain/entries/editor/edited.ts'
import type { PaletteView } from './commands.ts'

const Palette = lazy(() => import('./Palette.tsx'))
const EntryEditorModal = lazy(() => import('../../domain/entries/editor/EntryEditorModal.tsx'))

/** Opens the command palette by Ctrl/Cmd-K, from fields too, and the entry that is chosen in it. */
export function PaletteKey({ views }: { views: readonly PaletteView[] }) {
  const [isOpen, { open, close }] = useDisclosure()
  const [editing, setEditing] = useState<{ edited: Edited; zone: ZoneName }>()
  useHotkeys([['mod+K', open]], [])
  return (
    <Suspense>
      {isOpen && (
        <Palette
          views={views}
          onClose={close}
          onEdit={(record, zone) => setEditing({ edited: editOf(record), zone })}
        />
      )}
      {editing && (
        <EntryEditorModal {...editing} onDone={(next) => setEditing(next && { edited: next, zone: editing.zone })} />
      )}
    </Suspense>
  )
}
