import { Autocomplete, Stack, Text } from '@mantine/core'
import { entryLimits } from '@saldo/core'
import { type FormEvent, useState } from 'react'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormFooter } from '../../ui/FormFooter.tsx'
import { type Project, renamingOf } from './projects.ts'

interface Props {
  project: Project
  projects: readonly Project[]
  onRename: (name: string) => void
  onClose: () => void
}

/** Asks for another name of a project. The name of another project merges both. */
export default function RenameDialog({ project: { name, entryCount }, projects, onRename, onClose }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [typed, setTyped] = useState(name)
  const newName = typed.trim()
  const renaming = renamingOf(name, newName, projects)
  const isMerge = renaming === 'merge'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (renaming) onRename(newName)
  }
  const values = { count: entryCount, number: format.number(entryCount), name, other: newName }
  return (
    <Dialog title={t('projects.rename')} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack>
          <Autocomplete
            label={t('projects.newName')}
            data-autofocus
            data={projects.map((other) => other.name).filter((other) => other !== name)}
            limit={50}
            comboboxProps={{ position: 'top' }}
            maxLength={entryLimits.projectLength}
            value={typed}
            onChange={setTyped}
          />
          <Text c="dimmed" role="status">
            {t(isMerge ? 'projects.merges' : 'projects.renames', values)}
            {isMerge && ` ${t('projects.mergeUndo')}`}
          </Text>
          <FormFooter
            action={t(isMerge ? 'projects.merge' : 'projects.apply')}
            disabled={!renaming}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  )
}
