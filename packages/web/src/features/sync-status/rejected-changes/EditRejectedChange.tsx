import { Stack } from '@mantine/core'
import type { RejectedChange } from '@saldo/client'
import { useSaldo } from '@saldo/client/react'
import type { AdjustmentContent, JsonObject, SettingsContent } from '@saldo/core'
import type { FormEvent } from 'react'
import { useZone } from '../../../domain/account/TimelineProvider.tsx'
import { EntryFields } from '../../../domain/entries/editor/EntryFields.tsx'
import {
  type EditableContent,
  type EntryFormProblem,
  type EntryValues,
  formInOwnZone,
} from '../../../domain/entries/editor/entry-form.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { useBusy } from '../../../ui/feedback/useAttempt.ts'
import { useInvalidFocus } from '../../../ui/focus.ts'
import { useCheckedForm, useForm } from '../../../ui/useForm.ts'
import { AdjustmentFields, SettingsFields } from './EditedFields.tsx'
import { RejectionReason } from './RejectionReason.tsx'

interface Props {
  rejected: RejectedChange
  onClose: () => void
}

/** Lets the user correct a rejected change, and sends it again as a new one. */
export default function EditRejectedChange({ rejected, onClose }: Props) {
  const { t } = useTranslation()
  const { change } = rejected
  return (
    <Dialog isForm title={t('sync.rejected.editTitle')} onClose={onClose}>
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
  const zone = useZone()
  const own = formInOwnZone(rejected.change.content as unknown as EditableContent, zone)
  const { form, problem, change, fail } = useCheckedForm<EntryValues, EntryFormProblem>(() => own.form)
  const send = useSend(rejected, onClose)
  const save = () => {
    const result = own.read(form)
    if (result.ok) void send(result.content)
    else fail(result.problem)
  }
  return (
    <Form onSave={save} problem={problem} onClose={onClose}>
      <EntryFields form={form} problem={problem} onChange={change} />
    </Form>
  )
}

function RecordForm({ rejected, onClose }: Props) {
  const { kind } = rejected.change
  const [content, change] = useForm<object>(rejected.change.content as JsonObject)
  const send = useSend(rejected, onClose)
  return (
    <Form onSave={() => void send(content)} onClose={onClose}>
      {kind === 'settings_history' ? (
        <SettingsFields settings={content as unknown as SettingsContent} onChange={change} />
      ) : (
        <AdjustmentFields adjustment={content as unknown as AdjustmentContent} onChange={change} />
      )}
    </Form>
  )
}

function useSend(rejected: RejectedChange, onClose: () => void): (content: object) => Promise<void> {
  const { rejectedChanges } = useSaldo()
  const { act } = useAct()
  const { run } = useBusy()
  return (content) =>
    run(async () => {
      if (await act(rejectedChanges.edit(rejected, content))) onClose()
    })
}

interface FormProps {
  onSave: () => void
  problem?: EntryFormProblem | undefined
  onClose: () => void
  children: React.ReactNode
}

function Form({ onSave, problem, onClose, children }: FormProps) {
  const { t } = useTranslation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave()
  }
  return (
    <form ref={useInvalidFocus(problem)} onSubmit={submit}>
      <Stack>
        {children}
        <FormFooter action={t('sync.rejected.send')} onCancel={onClose} />
      </Stack>
    </form>
  )
}
