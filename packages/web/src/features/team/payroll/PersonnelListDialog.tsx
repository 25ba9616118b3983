import { Button, FileButton, Stack, Text, Textarea } from '@mantine/core'
import type { ItemResult, LocalDate, PersonnelRow } from '@saldo/core'
import { useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../../ui/Notice.tsx'
import company from '../company/CompanyView.module.css'
import { refuseRejected } from '../company/item-results.ts'
import { inHundreds } from '../in-hundreds.ts'
import { listLines, readList } from '../list-text.ts'
import { isChange, type PersonnelLine, readPersonnel, unreadOfPersonnel } from './personnel-list.ts'

interface Props {
  people: readonly PersonnelRow[]
  onDone: () => Promise<void>
  onClose: () => void
}

/** Changes personnel data of many by a table, after a list of what each person then has (D31.1). */
export function PersonnelListDialog({ people, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const calls = useTeamCalls()
  const [text, setText] = useState('')
  const [lines, setLines] = useState<PersonnelLine[] | 'unreadable'>()
  const { isBusy, failure, attempt } = useAttempt()
  const edit = (changed: string) => {
    setText(changed)
    setLines(undefined)
  }
  const readFile = async (file: File) => {
    const read = await readList(file)
    edit(read ?? '')
    if (read === undefined) setLines('unreadable')
  }
  const look = () => {
    const table = listLines(text)
    setLines((table && readPersonnel(table, people, format.dateOrder)) ?? 'unreadable')
  }
  const read = Array.isArray(lines) ? lines : undefined
  const changed = (read ?? []).filter(isChange)
  const save = async () => {
    const inputs = changed.flatMap(({ input }) => input ?? [])
    const put = async (): Promise<ItemResult[]> => inHundreds(inputs, calls.putPersonnel)
    const isDone = await attempt(put().then(refuseRejected))
    if (isDone) onClose()
    await onDone()
  }
  return (
    <Dialog title={t('team.payroll.list.title')} onClose={onClose} isForm size="lg">
      <Stack>
        <Textarea
          label={t('team.payroll.list.table')}
          description={t('team.payroll.list.help')}
          placeholder={t('team.payroll.list.example')}
          autosize
          minRows={4}
          maxRows={10}
          data-autofocus
          error={lines === 'unreadable' && t('team.payroll.list.unreadable')}
          value={text}
          onChange={(event) => edit(event.currentTarget.value)}
        />
        <FileButton accept=".csv,.txt,text/csv,text/plain" onChange={(file) => file && void readFile(file)}>
          {(props) => (
            <Button variant="default" {...props} className={company.file ?? ''}>
              {t('team.add.file')}
            </Button>
          )}
        </FileButton>
        <div role="status">{read && <Preview lines={read} unread={unreadOfPersonnel(listLines(text) ?? [])} />}</div>
        {failure && <ProblemText>{failure}</ProblemText>}
        <FormFooter
          action={read ? t('team.payroll.list.save', { count: changed.length }) : t('team.add.preview')}
          disabled={read ? changed.length === 0 : text.trim() === ''}
          loading={isBusy}
          onAction={read ? save : look}
          onCancel={onClose}
        />
      </Stack>
    </Dialog>
  )
}

/** Says what each person then has, first of all what cannot be kept. */
function Preview({ lines, unread }: { lines: readonly PersonnelLine[]; unread: readonly string[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const changed = lines.filter(isChange)
  const wrong = lines.filter(({ problem }) => problem !== undefined)
  const dateText = (date: LocalDate | null) => (date === null ? '' : format.date(date, 'medium'))
  const textsOf = ({ input }: PersonnelLine) =>
    input
      ? [
          input.number,
          input.cost_centre && `${t('team.payroll.personnel.cost_centre')}: ${input.cost_centre}`,
          input.entry_date && `${t('team.payroll.personnel.entry_date')}: ${dateText(input.entry_date)}`,
          input.exit_date && `${t('team.payroll.personnel.exit_date')}: ${dateText(input.exit_date)}`,
        ]
      : []
  return (
    <>
      {unread.length > 0 && <Text>{t('team.add.unread', { columns: format.list([...unread]) })}</Text>}
      {wrong.length > 0 && <Text fw={600}>{t('team.payroll.list.wrong', { count: wrong.length })}</Text>}
      <ul className={company.preview}>
        {wrong.map(({ row, named, problem }) => (
          <li key={row} className={company.rejected}>
            {t('team.payroll.list.line', { row, name: named })} {t(`team.payroll.list.problem.${problem}`)}
          </li>
        ))}
      </ul>
      <Text fw={600} mt="sm">
        {changed.length === 0
          ? t('team.payroll.list.nothing')
          : t('team.payroll.list.found', { count: changed.length })}
      </Text>
      <ul className={company.preview}>
        {changed.map((line) => (
          <li key={line.row}>
            {t('team.payroll.list.line', { row: line.row, name: line.person?.name || line.named })}{' '}
            {textsOf(line).filter(Boolean).join(' · ')}
          </li>
        ))}
      </ul>
    </>
  )
}
