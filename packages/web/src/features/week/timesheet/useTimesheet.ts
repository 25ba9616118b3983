import { addDays, type LocalDate } from '@saldo/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useSaldo } from '../../../context/saldo.tsx'
import { useLive } from '../../../context/useLive.ts'
import { useEntryVerbs } from '../../../domain/entries/useEntryVerbs.ts'
import type { Week } from '../useWeek.ts'
import { type Cell, changesFor, projectsIn } from './cells.ts'
import { copiesOfLastWeek } from './copy-week.ts'

export type Project = string | null

export function useTimesheet({ dates, entries, timeline, today }: Week) {
  const { t } = useTranslation()
  const format = useFormat()
  const saldo = useSaldo()
  const verbs = useEntryVerbs()
  const [added, setAdded] = useState<Project[]>([])
  const [copied, setCopied] = useState<{ count: number }>()
  const all = useLive(useMemo(() => saldo.entries.all(), [saldo]))
  const known = useMemo(() => projectsIn((all ?? []).map(({ record }) => record)), [all])
  const projects = useMemo(() => {
    const inWeek = projectsIn(entries)
    const rows = [...inWeek, ...added.filter((project) => !inWeek.includes(project))]
    return rows.length > 0 ? rows : [null]
  }, [entries, added])

  const lastWeek = async () => {
    const [first, last] = [dates[0], dates[6]] as [LocalDate, LocalDate]
    const rows = await saldo.entries.between({ from: addDays(first, -7), to: addDays(last, -7) }).read()
    return rows.map(({ record }) => record)
  }
  const add = (wanted: readonly Project[]) => setAdded((before) => [...new Set([...before, ...wanted])])

  return {
    projects,
    /** Names to choose from for another row. */
    others: known.filter((project) => project !== null && !projects.includes(project)) as string[],
    /** How many entries the last copy made. */
    copied,
    addProject: (name: string) => add([name]),
    /** Whether the day has room for the hours. */
    type(cell: Cell, wantedMs: number): boolean {
      const changes = changesFor(cell, wantedMs, entries, timeline)
      if (!changes) return false
      const told = t('week.timesheet.typed', { day: format.date(cell.date, 'day'), time: format.duration(wantedMs) })
      if (changes.length > 0) void verbs.make(changes, told)
      return true
    },
    async copyProjects() {
      setCopied(undefined)
      add(projectsIn(await lastWeek()))
    },
    async copyHours() {
      const changes = copiesOfLastWeek(await lastWeek(), entries, dates, timeline, today)
      setCopied({ count: changes.length })
      if (changes.length > 0) void verbs.make(changes, t('week.timesheet.copied', { count: changes.length }))
    },
  }
}
