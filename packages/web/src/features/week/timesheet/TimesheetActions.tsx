import { Button, Menu, Stack, Text } from '@mantine/core'
import type { EntryMutation } from '@saldo/client/entries'
import { useState } from 'react'
import { useZone } from '../../../domain/account/TimelineProvider.tsx'
import { EntryWords } from '../../../domain/entries/EntryWords.tsx'
import { useWhen } from '../../../domain/entries/entry-texts.ts'
import { ProjectInput } from '../../../domain/entries/ProjectInput.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { IconCopy, IconPlus } from '../../../ui/icons.ts'
import classes from './Timesheet.module.css'

interface Props {
  /** Suggested names for another row. */
  projectNames: string[]
  onAddProject: (name: string) => void
  onCopyHours: () => Promise<void>
  onCopyProjects: () => Promise<void>
}

export function TimesheetActions({ projectNames, onAddProject, onCopyHours, onCopyProjects }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  return (
    <div className={classes.actions}>
      <form
        className={classes.adder}
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') onAddProject(name.trim())
          setName('')
        }}
      >
        <ProjectInput
          aria-label={t('week.timesheet.projectName')}
          placeholder={t('week.timesheet.projectName')}
          projects={projectNames}
          value={name}
          onChange={setName}
        />
        <Button type="submit" variant="subtle" leftSection={<IconPlus size={18} aria-hidden />}>
          {t('week.timesheet.addProject')}
        </Button>
      </form>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="subtle" leftSection={<IconCopy size={18} aria-hidden />}>
            {t('week.timesheet.copy')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void onCopyHours()}>{t('week.timesheet.copyHours')}</Menu.Item>
          <Menu.Item onClick={() => void onCopyProjects()}>{t('week.timesheet.copyProjects')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

interface DeletionQuestionProps {
  changes: readonly EntryMutation[]
  answer: (isYes: boolean) => void
}

/** Asks before fewer hours delete entries, and lists these. */
export function DeletionQuestion({ changes, answer }: DeletionQuestionProps) {
  const { t } = useTranslation()
  const when = useWhen()
  const zone = useZone()
  const records = changes.flatMap((change) => (change.op === 'delete' ? [change.record] : []))
  return (
    <Dialog title={t('week.timesheet.deletes.title')} onClose={() => answer(false)}>
      <Stack>
        <Text>{t('week.timesheet.deletes.why', { count: records.length })}</Text>
        <ul className={classes.deleted}>
          {records.map((record) => (
            <li key={record.id}>
              {when(record, zone).times} <EntryWords record={record} />
            </li>
          ))}
        </ul>
        <FormFooter action={t('ui.delete')} color="red" onAction={() => answer(true)} onCancel={() => answer(false)} />
      </Stack>
    </Dialog>
  )
}
