import { systemRandom } from '@saldo/client'
import { useSaldo } from '@saldo/client/react'
import type { Adjustment, AdjustmentContent } from '@saldo/core'
import { undoableDeletion, undoableSaving } from '../../../domain/undoable-writes.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { closeAndSave, type OnDone } from '../../../ui/useEditor.ts'
import { useCheckedForm } from '../../../ui/useForm.ts'
import type { Account } from '../useAccount.ts'
import {
  type AdjustmentForm,
  type AdjustmentKind,
  type AdjustmentProblem,
  adjustmentFormOf,
  balanceAfter,
  contentOfAdjustment,
  withKind,
} from './adjustment-form.ts'

export interface EditedAdjustment {
  /** Without one, a new adjustment is made. */
  record?: Adjustment
  /** The input of an adjustment that could not be saved. */
  form?: AdjustmentForm
}

export function useAdjustmentForm(
  edited: EditedAdjustment,
  { today, ledger }: Account,
  onDone: OnDone<EditedAdjustment>,
) {
  const { record } = edited
  const { t } = useTranslation()
  const { balanceAdjustments } = useSaldo()
  const { actWithUndo } = useAct()
  const { form, problem, change, fail } = useCheckedForm<AdjustmentForm, AdjustmentProblem>(
    () => edited.form ?? adjustmentFormOf(record, today),
  )

  const store = (content: AdjustmentContent) => {
    const saving = undoableSaving(balanceAdjustments, record, content, systemRandom.uuid)
    return actWithUndo(saving, t(record ? 'account.message.changed' : 'account.message.added'))
  }

  const remove = (removed: Adjustment) => {
    onDone()
    void actWithUndo(undoableDeletion(balanceAdjustments, removed), t('account.message.deleted'))
  }

  return {
    form,
    problem,
    change,
    changeKind: (kind: AdjustmentKind) => change(withKind(kind)),
    balanceAfter: balanceAfter(form, record, { today, balanceMs: ledger.balanceMs, future: ledger.future }),
    async save() {
      const result = contentOfAdjustment(form, record)
      if (!result.ok) {
        fail(result.problem)
        return
      }
      await closeAndSave(onDone, () => store(result.content), { ...edited, form })
    },
    remove: record && (() => remove(record)),
  }
}
