import { Select, Stack } from '@mantine/core'
import { dayEntryKinds, timedEntryKinds, type ZoneName } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { EditorFoot } from '../../../ui/EditorFoot.tsx'
import { ProblemText } from '../../../ui/ProblemText.tsx'
import type { Draft } from './draft.ts'
import { EntryFields } from './EntryFields.tsx'
import type { Edited } from './edited.ts'
import { type OnDone, useEntryEditor } from './useEntryEditor.ts'

interface Props {
  edited: Edited
  zone: ZoneName
  onDone: OnDone
}

/** All of an entry's fields. */
export function EntryEditor({ edited, zone, onDone }: Props) {
  const { t } = useTranslation()
  const { draft, change, problem, save, remove } = useEntryEditor(edited, zone, onDone)
  const kinds = [timedEntryKinds, dayEntryKinds].map((items, index) => ({
    group: t(index === 0 ? 'entries.editor.timed' : 'entries.editor.absences'),
    items: items.map((kind) => ({ value: kind, label: t(`entries.kind.${kind}`) })),
  }))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Stack>
        <Select
          label={t('entries.editor.kind')}
          data={kinds}
          value={draft.kind}
          allowDeselect={false}
          onChange={(kind) => kind && change({ kind: kind as Draft['kind'] })}
        />
        <EntryFields draft={draft} onChange={change} />
        {problem && <ProblemText>{t(`entries.editor.problem.${problem}`)}</ProblemText>}
        <EditorFoot onDelete={remove} onCancel={() => onDone()} />
      </Stack>
    </form>
  )
}
