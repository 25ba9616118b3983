import type { ZoneName } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { closeAndSave, type OnDone } from '../../../ui/close-and-save.ts'
import { useCheckedDraft } from '../../../ui/useCheckedDraft.ts'
import { useEntryVerbs } from '../useEntryVerbs.ts'
import { type Draft, type DraftProblem, draftOf } from './draft.ts'
import { changesOfDraft, type EditedEntry } from './edited-entry.ts'

export function useEntryForm({ record, content }: EditedEntry, zone: ZoneName, onDone: OnDone<EditedEntry>) {
  const { t } = useTranslation()
  const verbs = useEntryVerbs()
  const { draft, problem, change, fail } = useCheckedDraft<Draft, DraftProblem>(() => draftOf(content, zone))

  const save = async () => {
    const wanted = changesOfDraft(draft, { record, content }, zone)
    if (!wanted.ok) {
      fail(wanted.problem)
      return
    }
    const make = () => verbs.make(wanted.changes, t(record ? 'entries.changed' : 'entries.added'))
    await closeAndSave(onDone, make, wanted.again)
  }
  return {
    draft,
    problem,
    save,
    change,
    remove:
      record &&
      (() => {
        onDone()
        void verbs.remove(record)
      }),
  }
}
