import type { ZoneName } from '@saldo/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDraft } from '../../../ui/useDraft.ts'
import { useEntryVerbs } from '../useEntryVerbs.ts'
import { type Draft, type DraftProblem, draftOf } from './draft.ts'
import { changesOfDraft, type EditedEntry } from './edited-entry.ts'

/** Called when the dialog closes; with the input to edit again if saving failed. */
export type OnDone = (next?: EditedEntry) => void

export function useEntryForm({ record, content }: EditedEntry, zone: ZoneName, onDone: OnDone) {
  const { t } = useTranslation()
  const verbs = useEntryVerbs()
  const [draft, changeDraft] = useDraft<Draft>(() => draftOf(content, zone))
  const [problem, setProblem] = useState<DraftProblem>()

  const save = async () => {
    const wanted = changesOfDraft(draft, { record, content }, zone)
    if (!wanted.ok) {
      setProblem(wanted.problem)
      return
    }
    onDone()
    const worked = await verbs.make(wanted.changes, t(record ? 'entries.changed' : 'entries.added'))
    // After a rejection the editor opens again with the input.
    if (!worked) onDone(wanted.again)
  }
  return {
    draft,
    problem,
    save,
    change(changed: Partial<Draft>) {
      setProblem(undefined)
      changeDraft(changed)
    },
    remove:
      record &&
      (() => {
        onDone()
        void verbs.remove(record)
      }),
  }
}
