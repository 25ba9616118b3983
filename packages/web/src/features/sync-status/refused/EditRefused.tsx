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
import { AdjustmentFields } from './AdjustmentFields.tsx'
import { SettingsFields } from './SettingsFields.tsx'
import { Why } from './Why.tsx'

interface Props {
  refused: RejectedChange
  onClose: () => void
}

/** Mends what the service refused, and sends it again as a new change. */
export default function EditRefused({ refused, onClose }: Props) {
  const { t } = useTranslation()
  const { change } = refused
  return (
    <Dialog isForm title={t('sync.refused.editTitle')} onClose={onClose}>
      <Stack>
        <Why refused={refused} />
        {change.kind === 'entries' ? (
          <EntryForm refused={refused} onClose={onClose} />
        ) : (
          <RecordForm refused={refused} onClose={onClose} />
        )}
      </Stack>
    </Dialog>
  )
}

function EntryForm({ refused, onClose }: Props) {
  const { t } = useTranslation()
  const zone = useZone()
  const before = refused.change.content as unknown as EntryContent
  const there = before.time_zone ?? zone
  const [draft, setDraft] = useState<Draft>(() => draftOf(before, there))
  const [problem, setProblem] = useState<DraftProblem>()
  const send = useSend(refused, onClose)
  const save = () => {
    const wanted = contentOfDraft(draft, before, there)
    if (wanted.ok) void send(wanted.content)
    else setProblem(wanted.problem)
  }
  const change = (changed: Partial<Draft>) => {
    setProblem(undefined)
    setDraft({ ...draft, ...changed })
  }
  return (
    <Form onSave={save} onClose={onClose}>
      <EntryFields draft={draft} onChange={change} />
      {problem && <ProblemText>{t(`entries.editor.problem.${problem}`)}</ProblemText>}
    </Form>
  )
}

function RecordForm({ refused, onClose }: Props) {
  const { kind, content } = refused.change
  const [wanted, setWanted] = useState(content as JsonObject)
  const send = useSend(refused, onClose)
  const change = (changed: object) => setWanted({ ...wanted, ...changed })
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

function useSend(refused: RejectedChange, onClose: () => void): (wanted: object) => Promise<void> {
  const { rejectedChanges } = useSaldo()
  const { act } = useAct()
  return async (wanted) => {
    if (await act(rejectedChanges.edit(refused, wanted))) onClose()
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
