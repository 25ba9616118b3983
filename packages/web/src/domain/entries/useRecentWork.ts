import { recentWork, type WorkSubject } from '@saldo/client/entries'
import { useEntries, useSaldo } from '@saldo/client/react'
import { addDays } from '@saldo/core'
import { useMemo } from 'react'
import { useToday } from '../account/useToday.ts'
import { useArchivedProjects } from './archived-projects.ts'

const DAYS = 60
const MOST = 30

/** Returns what the user worked on in the last weeks, the newest first, without archived projects. */
export function useRecentWork(): WorkSubject[] {
  const { user } = useSaldo()
  const archived = useArchivedProjects(user)
  const today = useToday()
  const rows = useEntries({ from: addDays(today, -DAYS), to: today })
  return useMemo(() => {
    const records = (rows ?? []).map(({ record }) => record)
    return recentWork(
      records.filter(({ project }) => project === null || !archived.has(project)),
      MOST,
    )
  }, [rows, archived])
}
