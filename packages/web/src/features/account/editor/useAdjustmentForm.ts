import { systemRandom } from '@saldo/client'
import { useSaldo } from '@saldo/client/react'
import type { Adjustment, AdjustmentContent } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { stepOfDeletion, stepOfSaving } from '../../../domain/record-steps.ts'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { useCheckedDraft } from '../../../ui/useDraft.ts'
import { closeAndSave, type OnDone } from '../../../ui/useEditor.ts'
import type { Account } from '../useAccount.ts'
import {
  type AdjustmentDraft,
  type AdjustmentKind,
  type AdjustmentProblem,
  balanceAfter,
  contentOfAdjustment,
  draftOfAdjustment,
  withKind,
} from './adjustment-draft.ts'

export interface EditedAdjustment {
  /** Without one, a new adjustment is made. */
  record?: Adjustment
  /** The input of an adjustment that could not be saved. */
  draft?: AdjustmentDraft
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
  const { draft, problem, change, fail } = useCheckedDraft<AdjustmentDraft, AdjustmentProblem>(
    () => edited.draft ?? draftOfAdjustment(record, today),
  )

  const store = (content: AdjustmentContent) => {
    const { make, takeBack } = stepOfSaving(balanceAdjustments, record, content, systemRandom.uuid)
    return actWithUndo(make, t(record ? 'account.message.changed' : 'account.message.added'), takeBack)
  }

  const remove = (removed: Adjustment) => {
    onDone()
    const { make, takeBack } = stepOfDeletion(balanceAdjustments, removed)
    void actWithUndo(make, t('account.message.deleted'), takeBack)
  }

  return {
    draft,
    problem,
    change,
    changeKind: (kind: AdjustmentKind) => change(withKind(kind)),
    balanceAfter: balanceAfter(draft, record, { today, balanceMs: ledger.balanceMs, future: ledger.future }),
    async save() {
      const result = contentOfAdjustment(draft, record)
      if (!result.ok) {
        fail(result.problem)
        return
      }
      await closeAndSave(onDone, () => store(result.content), { ...edited, draft })
    },
    remove: record && (() => remove(record)),
  }
}
