import { systemRandom } from '@saldo/client'
import { type Adjustment, type AdjustmentContent, contentOf } from '@saldo/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaldo } from '../../../context/saldo.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { useDraft } from '../../../ui/useDraft.ts'
import type { Account } from '../useAccount.ts'
import {
  type AdjustmentDraft,
  type AdjustmentProblem,
  balanceAfter,
  contentOfAdjustment,
  draftOfAdjustment,
  usuallyTakes,
} from './adjustment-draft.ts'

/** What is edited: an adjustment that is there, or a new one; with what was typed, where it could not be kept. */
export interface EditedAdjustment {
  record: Adjustment | undefined
  draft?: AdjustmentDraft
}

/** Called as the editor has done its work; with what to edit instead, where it could not be kept. */
export type OnDone = (next?: EditedAdjustment) => void

export function useAdjustmentEditor({ record, draft: typed }: EditedAdjustment, account: Account, onDone: OnDone) {
  const { t } = useTranslation()
  const { balanceAdjustments } = useSaldo()
  const { actUndoably } = useAct()
  const [draft, changeDraft] = useDraft<AdjustmentDraft>(() => typed ?? draftOfAdjustment(record, account.today))
  const [problem, setProblem] = useState<AdjustmentProblem>()
  const change = (changed: Partial<AdjustmentDraft>) => {
    setProblem(undefined)
    changeDraft(changed)
  }

  const store = (content: AdjustmentContent) => {
    if (record) {
      const before = contentOf(record)
      return actUndoably(balanceAdjustments.update(record.id, content), t('account.told.changed'), () =>
        balanceAdjustments.update(record.id, before),
      )
    }
    const id = systemRandom.uuid()
    return actUndoably(balanceAdjustments.create(content, { id }), t('account.told.added'), () =>
      balanceAdjustments.delete(id),
    )
  }

  return {
    draft,
    problem,
    change,
    changeKind: (kind: AdjustmentDraft['kind']) => change({ kind, ...(usuallyTakes(kind) && { takes: true }) }),
    after: balanceAfter(draft, record, {
      today: account.today,
      balanceMs: account.ledger.balanceMs,
      future: account.ledger.future,
    }),
    async save() {
      const wanted = contentOfAdjustment(draft)
      if (!wanted.ok) {
        setProblem(wanted.problem)
        return
      }
      onDone()
      // After a rejection the editor opens again with the input.
      if (!(await store(wanted.content))) onDone({ record, draft })
    },
    remove:
      record &&
      (() => {
        onDone()
        const before = contentOf(record)
        void actUndoably(balanceAdjustments.delete(record.id), t('account.told.deleted'), () =>
          balanceAdjustments.create(before, { id: record.id }),
        )
      }),
  }
}
