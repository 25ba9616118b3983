import type { ZoneName } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EntryEditor } from './EntryEditor.tsx'
import type { Edited } from './edited.ts'
import type { OnDone } from './useEntryEditor.ts'

interface Props {
  edited: Edited
  zone: ZoneName
  onDone: OnDone
}

export default function EntryEditorModal({ edited, zone, onDone }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog isForm title={t(edited.record ? 'entries.editor.edit' : 'entries.editor.new')} onClose={() => onDone()}>
      <EntryEditor edited={edited} zone={zone} onDone={onDone} />
    </Dialog>
  )
}
