import { Button, Group, Stack } from '@mantine/core'
import type { RejectedChange } from '@saldo/client'
import type { AdjustmentContent, EntryContent, JsonObject, SettingsContent } from '@saldo/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaldo } from '../../../context/saldo.tsx'
import { useZone } from '../../../domain/account/useZone.ts'
import { contentOfDraft, type Draft, type DraftProblem, draftOf } from '../../../domain/entries/editor/draft.ts'
import { EntryFields } from '../../../domain/entries/editor/EntryFields.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { ProblemText } from '../../../ui/ProblemText.tsx'
import { useDraft } from '../../../ui/useDraft.ts'
import { AdjustmentFields } from './AdjustmentFields.tsx'
import { RejectionReason } from './RejectionReason.tsx'
import { SettingsFields } from './SettingsFields.tsx'

interface Props {
  rejected: RejectedChange
  onClose: () => void
}

/** Corrects a change that the service rejected and sends it as a new one. */
export default function EditRejectedChange({ rejected, onClose }: Props) {
  const { t } = useTranslation()
  const { change } = rejected
  return (
    <Dialog isForm title={t('sync.refused.editTitle')} onClose={onClose}>
      <Stack>
        <RejectionReason rejected={rejected} />
        {change.kind === 'entries' ? (
          <EntryForm rejected={rejected} onClose={onClose} />
        ) : (
          <RecordForm rejected={rejected} onClose={onClose} />
        )}
      </Stack>
    </Dialog>
  )
}

function EntryForm({ rejected, onClose }: Props) {
  const { t } = useTranslation()
  const zone = useZone()
  const before = rejected.change.content as unknown as EntryContent
  const there = before.time_zone ?? zone
  const [draft, changeDraft] = useDraft<Draft>(() => draftOf(before, there))
  const [problem, setProblem] = useState<DraftProblem>()
  const send = useSend(rejected, onClose)
  const save = () => {
    const wanted = contentOfDraft(draft, before, there)
    if (wanted.ok) void send(wanted.content)
    else setProblem(wanted.problem)
  }
  const change = (changed: Partial<Draft>) => {
    setProblem(undefined)
    changeDraft(changed)
  }
  return (
    <Form onSave={save} onClose={onClose}>
      <EntryFields draft={draft} onChange={change} />
      {problem && <ProblemText>{t(`entries.editor.problem.${problem}`)}</ProblemText>}
    </Form>
  )
}

function RecordForm({ rejected, onClose }: Props) {
  const { kind, content } = rejected.change
  const [wanted, change] = useDraft<object>(content as JsonObject)
  const send = useSend(rejected, onClose)
  return (
    <Form onSave={() => void send(wanted)} onClose={onClose}>
      {kind === 'settings_history' ? (
        <SettingsFields settings={wanted as unknown as SettingsContent} onChange={change} />
      ) : (
        <AdjustmentFields adjustment={wanted as unknown as AdjustmentContent} onChange={change} />
      )}
    </Form>
  )
}

function useSend(rejected: RejectedChange, onClose: () => void): (wanted: object) => Promise<void> {
  const { rejectedChanges } = useSaldo()
  const { act } = useAct()
  return async (wanted) => {
    if (await act(rejectedChanges.edit(rejected, wanted))) onClose()
  }
}

interface FormProps {
  onSave: () => void
  onClose: () => void
  children: React.ReactNode
}

function Form({ onSave, onClose, children }: FormProps) {
  const { t } = useTranslation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit">{t('sync.refused.send')}</Button>
        </Group>
      </Stack>
    </form>
  )
}
