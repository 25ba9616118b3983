import { Button, FileButton, Group, Select, Stack, Textarea } from '@mantine/core'
import type { Proof } from '@saldo/client/user-accounts'
import type { GroupRow, PersonInput } from '@saldo/core'
import { useState } from 'react'
import { useToday } from '../../../domain/account/TimelineProvider.tsx'
import { ProofForm } from '../../../domain/session/ProofForm.tsx'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { DateInput } from '../../../ui/DateInput.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../../ui/Notice.tsx'
import { useForm } from '../../../ui/useForm.ts'
import { inHundreds } from '../in-hundreds.ts'
import { readList } from '../list-text.ts'
import classes from './CompanyView.module.css'
import { PeopleOutcome, Preview } from './PeopleOutcome.tsx'
import {
  isRejected,
  isToShow,
  type PreviewLine,
  previewLines,
  readPeople,
  unreadColumnsOf,
  withResults,
} from './people-list.ts'

interface Props {
  groups: readonly GroupRow[]
  /** Gets the number of people who were added. */
  onDone: (count: number) => Promise<void>
  onClose: () => void
}

/** Adds people by a pasted list or a CSV, after a preview that names each line which cannot be added. */
export function AddPeopleDialog({ groups, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const today = useToday()
  const company = groups.find(({ parent_id }) => parent_id === null)
  const [form, change] = useForm({ text: '', groupId: company?.id ?? 0, from: today })
  const [preview, setPreview] = useState<PreviewLine[]>()
  const [done, setDone] = useState<PreviewLine[]>()
  const [unreadable, setUnreadable] = useState(false)
  const { isBusy, failure, attempt } = useAttempt()
  const edit = (changed: Partial<typeof form>) => {
    change(changed)
    setPreview(undefined)
    setUnreadable(false)
  }
  const readFile = async (file: File) => {
    const text = await readList(file)
    edit({ text: text ?? '' })
    setUnreadable(text === undefined)
  }
  const look = async () => {
    const people = readPeople(form.text)
    if (!people) {
      setUnreadable(true)
      return
    }
    const read = previewLines(people, { groups, groupId: form.groupId, from: form.from })
    await attempt(
      inHundreds(inputsOf(read), calls.previewPeople).then((results) => setPreview(withResults(read, results))),
    )
  }
  const added = (preview ?? []).filter((line) => !isRejected(line))
  const isInviting = added.some(({ result }) => result?.outcome === 'invited')
  const add = async (proof: Proof) => {
    const results = await inHundreds(inputsOf(added), (page) => calls.putPeople(page, proof))
    await onDone(results.filter(({ outcome }) => outcome !== 'rejected').length)
    const done = withResults(added, results)
    if (done.some(isToShow)) setDone(done)
    else onClose()
  }
  if (done) return <PeopleOutcome title={t('team.add.title')} lines={done} onClose={onClose} />
  return (
    <Dialog title={t('team.add.title')} onClose={onClose} isForm size="lg">
      <Stack>
        <Textarea
          label={t('team.add.list')}
          description={t('team.add.listHelp')}
          placeholder={'Ada Lovelace; ada@example.org\ngrace@example.org'}
          autosize
          minRows={4}
          maxRows={10}
          data-autofocus
          error={unreadable && t('team.add.unreadable')}
          value={form.text}
          onChange={(event) => edit({ text: event.currentTarget.value })}
        />
        <FileButton accept=".csv,.txt,text/csv,text/plain" onChange={(file) => file && void readFile(file)}>
          {(props) => (
            <Button variant="default" {...props} className={classes.file ?? ''}>
              {t('team.add.file')}
            </Button>
          )}
        </FileButton>
        <Group grow preventGrowOverflow={false}>
          {groups.length > 1 && (
            <Select
              label={t('team.add.group')}
              data={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={String(form.groupId)}
              allowDeselect={false}
              onChange={(value) => edit({ groupId: Number(value) })}
            />
          )}
          <DateInput label={t('team.add.from')} value={form.from} onChange={(from) => edit({ from })} />
        </Group>
        {failure && <ProblemText>{failure}</ProblemText>}
        {preview ? (
          <ProofForm
            action={t('team.add.add', { count: added.length })}
            act={add}
            onCancel={onClose}
            isComplete={added.length > 0}
            isAsked={isInviting}
          >
            {() => <Preview lines={preview} unread={unreadColumnsOf(form.text)} />}
          </ProofForm>
        ) : (
          <FormFooter
            action={t('team.add.preview')}
            disabled={form.text.trim() === ''}
            loading={isBusy}
            onAction={look}
            onCancel={onClose}
          />
        )}
      </Stack>
    </Dialog>
  )
}

function inputsOf(lines: readonly PreviewLine[]): PersonInput[] {
  return lines.flatMap(({ input }) => input ?? [])
}
