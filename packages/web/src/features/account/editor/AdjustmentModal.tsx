import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import type { Account } from '../useAccount.ts'
import { AdjustmentEditor } from './AdjustmentEditor.tsx'
import type { EditedAdjustment, OnDone } from './useAdjustmentEditor.ts'

interface Props {
  edited: EditedAdjustment
  account: Account
  onDone: OnDone
}

export default function AdjustmentModal({ edited, account, onDone }: Props) {
  const { t } = useTranslation()
  const isPhone = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false })
  return (
    <Modal
      opened
      onClose={() => onDone()}
      fullScreen={isPhone ?? false}
      radius={isPhone ? 0 : 'lg'}
      title={t(edited.record ? 'account.editor.edit' : 'account.editor.new')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <AdjustmentEditor edited={edited} account={account} onDone={onDone} />
    </Modal>
  )
}
