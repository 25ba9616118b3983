import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ZoneName } from '@saldo/core'
import { useTranslation } from 'react-i18next'
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
  const isPhone = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false })
  return (
    <Modal
      opened
      onClose={() => onDone()}
      fullScreen={isPhone ?? false}
      radius={isPhone ? 0 : 'lg'}
      title={edited.record ? t('entries.editor.edit') : t('entries.editor.new')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <EntryEditor edited={edited} zone={zone} onDone={onDone} />
    </Modal>
  )
}
