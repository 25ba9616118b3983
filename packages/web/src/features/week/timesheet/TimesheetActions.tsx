import { Autocomplete, Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
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
        <Autocomplete
          aria-label={t('week.timesheet.projectName')}
          placeholder={t('week.timesheet.projectName')}
          data={projectNames}
          limit={20}
          maxLength={200}
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
