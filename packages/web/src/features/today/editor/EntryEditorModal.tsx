import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import type { Day } from '../useDay.ts'
import { EntryEditor } from './EntryEditor.tsx'
import type { Edited } from './edited.ts'
import type { OnDone } from './useEntryEditor.ts'

interface Props {
  edited: Edited
  day: Day
  onDone: OnDone
}

export default function EntryEditorModal({ edited, day, onDone }: Props) {
  const { t } = useTranslation()
  const isPhone = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false })
  return (
    <Modal
      opened
      onClose={() => onDone()}
      fullScreen={isPhone ?? false}
      radius={isPhone ? 0 : 'lg'}
      title={edited.record ? t('today.editor.edit') : t('today.editor.new')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <EntryEditor edited={edited} day={day} onDone={onDone} />
    </Modal>
  )
}
