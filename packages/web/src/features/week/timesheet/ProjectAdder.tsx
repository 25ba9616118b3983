import { Autocomplete, Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './Timesheet.module.css'

/** Another row for the grid. */
export function ProjectAdder({ names, onAdd }: { names: string[]; onAdd: (name: string) => void }) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  return (
    <form
      className={classes.adder}
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') onAdd(name.trim())
        setName('')
      }}
    >
      <Autocomplete
        aria-label={t('week.timesheet.projectName')}
        placeholder={t('week.timesheet.projectName')}
        data={names}
        limit={20}
        maxLength={200}
        value={name}
        onChange={setName}
      />
      <Button type="submit" variant="subtle" leftSection={<IconPlus size={18} aria-hidden />}>
        {t('week.timesheet.addProject')}
      </Button>
    </form>
  )
}
