import { Button, Menu } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

interface Props {
  onHours: () => Promise<void>
  onProjects: () => Promise<void>
}

export function CopyLastWeek({ onHours, onProjects }: Props) {
  const { t } = useTranslation()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="subtle" leftSection={<IconCopy size={18} aria-hidden />}>
          {t('week.timesheet.copy')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void onHours()}>{t('week.timesheet.copyHours')}</Menu.Item>
        <Menu.Item onClick={() => void onProjects()}>{t('week.timesheet.copyProjects')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
