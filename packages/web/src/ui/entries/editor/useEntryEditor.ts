import type { ZoneName } from '@saldo/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaldo } from '../../../app/saldo.tsx'
import { useLive } from '../../useLive.ts'
import type { Change } from '../changes.ts'
import { useEntryVerbs } from '../useEntryVerbs.ts'
import { contentOfDraft, type Draft, type DraftProblem, draftOf } from './draft.ts'
import type { Edited } from './edited.ts'

/** Called as the editor has done its work; with what to edit instead, where it could not be kept. */
export type OnDone = (next?: Edited) => void

export function useEntryEditor({ record, content }: Edited, zone: ZoneName, onDone: OnDone) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const verbs = useEntryVerbs()
  const [draft, setDraft] = useState<Draft>(() => draftOf(content, zone))
  const [problem, setProblem] = useState<DraftProblem>()
  const rows = useLive(useMemo(() => saldo.entries.all(), [saldo]))
  const known = useMemo(() => knownNames((rows ?? []).map((row) => row.record)), [rows])

  const save = async () => {
    const wanted = contentOfDraft(draft, content, zone)
    if (!wanted.ok) {
      setProblem(wanted.problem)
      return
    }
    const change: Change = record
      ? { op: 'update', record, patch: wanted.content }
      : { op: 'create', content: wanted.content }
    onDone()
    const worked = await verbs.make([change], t(record ? 'entries.changed' : 'entries.added'))
    // What was typed is not lost where it was refused.
    if (!worked) onDone({ ...(record && { record }), content: wanted.content })
  }
  return {
    ...known,
    draft,
    problem,
    save,
    change(changed: Partial<Draft>) {
      setProblem(undefined)
      setDraft((before) => ({ ...before, ...changed }))
    },
    remove:
      record &&
      (() => {
        onDone()
        void verbs.remove(record)
      }),
  }
}

/** The names of projects and tags that are in use, the most used first. */
function knownNames(entries: readonly { project: string | null; tags: readonly string[] }[]) {
  return {
    projects: mostUsed(entries.flatMap(({ project }) => project ?? [])),
    tags: mostUsed(entries.flatMap(({ tags }) => tags)),
  }
}

function mostUsed(names: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name)
}
