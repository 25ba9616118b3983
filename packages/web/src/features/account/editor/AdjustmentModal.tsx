import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/Dialog.tsx'
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
  return (
    <Dialog isForm title={t(edited.record ? 'account.editor.edit' : 'account.editor.new')} onClose={() => onDone()}>
      <AdjustmentEditor edited={edited} account={account} onDone={onDone} />
    </Dialog>
  )
}
