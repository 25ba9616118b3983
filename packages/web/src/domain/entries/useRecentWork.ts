import { recentWork, type WorkSubject } from '@saldo/client/entries'
import { useEntries, useSaldo } from '@saldo/client/react'
import { useMemo } from 'react'
import { useToday } from '../account/useToday.ts'
import { daysBackFrom } from '../date-ranges.ts'
import { useArchivedProjects } from './archived-projects.ts'

const DAYS = 60
const MOST = 30

/** Returns what the user worked on in the last weeks, the newest first, without archived projects. */
export function useRecentWork(): WorkSubject[] {
  const { user } = useSaldo()
  const archived = useArchivedProjects(user)
  const rows = useEntries(daysBackFrom(useToday(), DAYS))
  return useMemo(() => {
    const records = (rows ?? []).map(({ record }) => record)
    return recentWork(
      records.filter(({ project }) => project === null || !archived.has(project)),
      MOST,
    )
  }, [rows, archived])
}
