import { Text, Title } from '@mantine/core'
import { useEntries, useSaldo } from '@saldo/client/react'
import { lazy, Suspense, useId, useMemo, useState } from 'react'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTimeline } from '../../domain/account/TimelineProvider.tsx'
import { setArchived, useArchivedProjects } from '../../domain/entries/known-names.ts'
import { useEntryActions } from '../../domain/entries/useEntryActions.ts'
import { useTranslation } from '../../i18n/translation.ts'
import tables from '../../ui/table.module.css'
import { ViewHeader } from '../../ui/ViewHeader.tsx'
import { ProjectRow } from './ProjectRow.tsx'
import classes from './ProjectsView.module.css'
import { type Project, projectsOf, renameChanges, renamingOf } from './projects.ts'

const RenameDialog = lazy(() => import('./RenameDialog.tsx'))

/** All projects with their last use and their time; they are renamed, merged and archived here. */
export default function ProjectsView() {
  const { t } = useTranslation()
  const format = useFormat()
  const saldo = useSaldo()
  const { timeline } = useTimeline()
  const { make } = useEntryActions()
  const rows = useEntries()
  const projects = useMemo(
    () =>
      rows &&
      projectsOf(
        rows.map(({ record }) => record),
        timeline,
      ),
    [rows, timeline],
  )
  const archived = useArchivedProjects(saldo.user)
  const [renamed, setRenamed] = useState<Project>()
  const rename = ({ name }: Project, newName: string) => {
    setRenamed(undefined)
    const entries = (rows ?? []).map(({ record }) => record)
    const changes = renameChanges(entries, name, newName)
    const done = renamingOf(name, newName, projects ?? []) === 'merge' ? 'projects.merged' : 'projects.renamed'
    void make(changes, t(done, { count: changes.length, number: format.number(changes.length), other: newName }))
  }
  if (!projects) return <ViewHeader title={t('projects.title')} />
  const lists = [
    { title: t('projects.active'), isArchived: false, rows: projects.filter(({ name }) => !archived.has(name)) },
    { title: t('projects.archived'), isArchived: true, rows: projects.filter(({ name }) => archived.has(name)) },
  ]
  return (
    <div className={classes.view}>
      <ViewHeader title={t('projects.title')} />
      {projects.length === 0 && <Text c="dimmed">{t('projects.none')}</Text>}
      {lists.map(
        (list) =>
          list.rows.length > 0 && (
            <ProjectTable
              key={list.title}
              {...list}
              onRename={setRenamed}
              onArchive={({ name }) => setArchived(saldo.user, name, !list.isArchived)}
            />
          ),
      )}
      {renamed && (
        <Suspense>
          <RenameDialog
            project={renamed}
            projects={projects}
            onRename={(name) => rename(renamed, name)}
            onClose={() => setRenamed(undefined)}
          />
        </Suspense>
      )}
    </div>
  )
}

interface TableProps {
  title: string
  isArchived: boolean
  rows: readonly Project[]
  onRename: (project: Project) => void
  onArchive: (project: Project) => void
}

function ProjectTable({ title, isArchived, rows, onRename, onArchive }: TableProps) {
  const { t } = useTranslation()
  const titleId = useId()
  return (
    <section aria-labelledby={titleId}>
      <Title order={2} id={titleId} className={isArchived ? '' : 'visually-hidden'}>
        {title}
      </Title>
      {isArchived && (
        <Text c="dimmed" mb="xs">
          {t('projects.archivedHelp')}
        </Text>
      )}
      <table className={tables.figures} aria-labelledby={titleId}>
        <thead>
          <tr>
            <th scope="col">{t('projects.name')}</th>
            <th scope="col" className={classes.wide}>
              {t('projects.entries')}
            </th>
            <th scope="col">{t('projects.lastUse')}</th>
            <th scope="col">{t('projects.time')}</th>
            <th scope="col">
              <span className="visually-hidden">{t('projects.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((project) => (
            <ProjectRow
              key={project.name}
              project={project}
              isArchived={isArchived}
              onRename={() => onRename(project)}
              onArchive={() => onArchive(project)}
            />
          ))}
        </tbody>
      </table>
    </section>
  )
}
