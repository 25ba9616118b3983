import type { EntryMutation } from '@saldo/client/entries'
import { useEntries, useSaldo } from '@saldo/client/react'
import type { DurationMs } from '@saldo/core'
import { useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useEntryActions } from '../../../domain/entries/useEntryActions.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import type { Week } from '../shown-week.ts'
import { type Cell, cellOf, changesFor, losesDetails, projectsIn } from './cells.ts'
import { copiesOfLastWeek, projectRows, projectsWithoutRow, type TimesheetRow, weekBefore } from './timesheet-model.ts'

/** Returns the rows of a timesheet and what the user can do with them. */
export function useTimesheet({ dates, entries, timeline, today }: Week) {
  const { t } = useTranslation()
  const format = useFormat()
  const saldo = useSaldo()
  const { make } = useEntryActions()
  const [added, setAdded] = useState<readonly TimesheetRow[]>([])
  const [question, setQuestion] = useState<{ changes: readonly EntryMutation[]; answer: (isYes: boolean) => void }>()
  const [isNothingCopied, setNothingCopied] = useState(false)
  const allEntries = useEntries()
  const projects = projectRows(entries, added)
  const all = (allEntries ?? []).map(({ record }) => record)

  const readLastWeek = async () => {
    const rows = await saldo.entries.between(weekBefore(dates)).read()
    return rows.map(({ record }) => record)
  }
  const ask = (changes: readonly EntryMutation[]) =>
    new Promise<boolean>((resolve) => {
      const answer = (isYes: boolean) => {
        setQuestion(undefined)
        resolve(isYes)
      }
      setQuestion({ changes, answer })
    })
  const save = async (changes: readonly EntryMutation[], message: string) => {
    if (changes.some(losesDetails) && !(await ask(changes))) return false
    return (await make(changes, message)) === 'made'
  }
  const addProjects = (names: readonly TimesheetRow[]) => setAdded((before) => [...before, ...names])

  return {
    rows: projects.map((project) => ({
      project,
      cells: dates.map((date) => cellOf(entries, timeline, date, project)),
    })),
    otherProjects: projectsWithoutRow(all, projects),
    isNothingCopied,
    addProject: (name: string) => addProjects([name]),
    /** Present while the user is asked whether changes may delete entries. */
    question,
    /**
     * Changes the entries of a cell, after a question if entries with details are deleted. Resolves to true if the cell
     * has the hours then; `undefined` if the day has no room for them.
     */
    setHours(cell: Cell, workedMs: DurationMs): Promise<boolean> | undefined {
      const changes = changesFor(cell, workedMs, entries, timeline)
      const message = t('week.timesheet.typed', { day: format.date(cell.date, 'day'), time: format.duration(workedMs) })
      return changes && save(changes, message)
    },
    async copyProjects() {
      setNothingCopied(false)
      addProjects(projectsIn(await readLastWeek()))
    },
    async copyHours() {
      const changes = copiesOfLastWeek(await readLastWeek(), entries, dates, timeline, today)
      setNothingCopied(changes.length === 0)
      if (changes.length > 0) void make(changes, t('week.timesheet.copied', { count: changes.length }))
    },
  }
}
