import { ActionIcon, Menu } from '@mantine/core'
import { Link } from 'wouter'
import { useFormat } from '../../context/FormatProvider.tsx'
import { ProjectName } from '../../domain/entries/ProjectName.tsx'
import { reportAddressOf } from '../../domain/reports/report-query.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { IconArchive, IconArchiveOff, IconDots, IconPencil } from '../../ui/icons.ts'
import classes from './ProjectsView.module.css'
import type { Project } from './projects.ts'

interface Props {
  project: Project
  isArchived: boolean
  onRename: () => void
  onArchive: () => void
}

/** A project with a link to its report. */
export function ProjectRow({
  project: { name, timeMs, entryCount, lastDate, hue },
  isArchived,
  onRename,
  onArchive,
}: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <tr>
      <th scope="row" className={classes.name}>
        <Link href={reportAddressOf({ project: name, dates: 'all', group: 'month' })}>
          <ProjectName name={name} hue={hue} />
        </Link>
      </th>
      <td className={classes.wide}>{format.number(entryCount)}</td>
      <td>{format.date(lastDate, 'medium')}</td>
      <td>{format.duration(timeMs)}</td>
      <td className={classes.actions}>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={t('projects.actionsOf', { name })}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={18} aria-hidden />} onClick={onRename}>
              {t('projects.rename')}
            </Menu.Item>
            <Menu.Item
              leftSection={
                isArchived ? <IconArchiveOff size={18} aria-hidden /> : <IconArchive size={18} aria-hidden />
              }
              onClick={onArchive}
            >
              {t(isArchived ? 'projects.restore' : 'projects.archive')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </td>
    </tr>
  )
}
