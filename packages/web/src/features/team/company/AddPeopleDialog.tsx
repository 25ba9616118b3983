import { Button, Code, CopyButton, FileButton, Group, Select, Stack, Text, Textarea } from '@mantine/core'
import { decodeText, readLines, UnreadableFileError } from '@saldo/client/import'
import type { Proof } from '@saldo/client/user-accounts'
import type { GroupRow, PersonInput } from '@saldo/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useToday } from '../../../domain/account/TimelineProvider.tsx'
import { ProofForm } from '../../../domain/session/ProofForm.tsx'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { DateInput } from '../../../ui/DateInput.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../../ui/Notice.tsx'
import { useForm } from '../../../ui/useForm.ts'
import { inHundreds } from '../in-hundreds.ts'
import classes from './CompanyView.module.css'
import { isRejected, type PreviewLine, previewLines, readPeople, withResults } from './people-list.ts'

interface Props {
  groups: readonly GroupRow[]
  onDone: () => Promise<void>
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
  const readFile = async (file: File) => edit({ text: decodeText(new Uint8Array(await file.arrayBuffer())) })
  const look = async () => {
    const lines = linesOf(form.text)
    if (!lines) {
      setUnreadable(true)
      return
    }
    const read = previewLines(readPeople(lines), { groups, groupId: form.groupId, from: form.from })
    await attempt(
      inHundreds(inputsOf(read), calls.previewPeople).then((results) => setPreview(withResults(read, results))),
    )
  }
  const added = (preview ?? []).filter((line) => !isRejected(line))
  const isInviting = added.some(({ result }) => result?.outcome === 'invited')
  const add = async (proof: Proof) => {
    const results = await inHundreds(inputsOf(added), (page) => calls.putPeople(page, proof))
    await onDone()
    const done = withResults(added, results)
    if (done.some(({ result }) => result?.link !== undefined || result?.outcome === 'rejected')) setDone(done)
    else onClose()
  }
  if (done) return <Added lines={done} onClose={onClose} />
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
            {() => <Preview lines={preview} />}
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

function Preview({ lines }: { lines: readonly PreviewLine[] }) {
  const { t } = useTranslation()
  const rejected = lines.filter(isRejected)
  const shown = [...rejected, ...lines.filter((line) => !isRejected(line))]
  return (
    <div role="status">
      <Text fw={600}>{t('team.add.found', { count: lines.length })}</Text>
      {rejected.length > 0 && <Text>{t('team.add.rejected', { count: rejected.length })}</Text>}
      <ul className={classes.preview}>
        {shown.map(({ person, problem, result }) => (
          <li
            key={`${person.row} ${person.email} ${person.group}`}
            className={problem || result?.outcome === 'rejected' ? classes.rejected : undefined}
          >
            {t('team.add.line', { row: person.row, name: person.name || person.email, email: person.email })}{' '}
            {problem ? (
              t(`team.add.problem.${problem}`, { group: person.group })
            ) : result?.outcome === 'rejected' ? (
              <span lang="en">{result.detail}</span>
            ) : (
              result && t(`team.add.outcome.${result.outcome}`)
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

function linesOf(text: string) {
  try {
    return readLines(new TextEncoder().encode(text))
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error
    return undefined
  }
}

function inputsOf(lines: readonly PreviewLine[]): PersonInput[] {
  return lines.flatMap(({ input }) => input ?? [])
}

/** The links of invitations that were not mailed, to pass on, and who could not be added. */
function Added({ lines, onClose }: { lines: readonly PreviewLine[]; onClose: () => void }) {
  const { t } = useTranslation()
  const links = lines.flatMap(({ person, result }) =>
    result?.link === undefined ? [] : [`${person.email} ${location.origin}${result.link}`],
  )
  const rejected = lines.filter(isRejected)
  return (
    <Dialog title={t('team.add.title')} onClose={onClose} size="lg">
      <Stack>
        {rejected.length > 0 && <Preview lines={rejected} />}
        {links.length > 0 && (
          <>
            <Text>{t('team.add.links')}</Text>
            <Code block className={classes.links ?? ''}>
              {links.join('\n')}
            </Code>
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.close')}
          </Button>
          {links.length > 0 && (
            <CopyButton value={links.join('\n')}>
              {({ copied, copy }) => <Button onClick={copy}>{t(copied ? 'team.add.copied' : 'team.add.copy')}</Button>}
            </CopyButton>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}
