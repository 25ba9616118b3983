import { addDays } from '@saldo/core'
import { useMemo } from 'react'
import { useSaldo } from '../../context/saldo.tsx'
import { useLive } from '../../context/useLive.ts'
import { useToday } from '../account/useToday.ts'
import { recentWork, type WorkSubject } from './recent-work.ts'

const DAYS = 60
const MOST = 30

/** Returns what the user worked on in the last weeks, the newest first. */
export function useRecentWork(): WorkSubject[] {
  const { entries } = useSaldo()
  const today = useToday()
  const rows = useLive(useMemo(() => entries.between({ from: addDays(today, -DAYS), to: today }), [entries, today]))
  return useMemo(
    () =>
      recentWork(
        (rows ?? []).map(({ record }) => record),
        MOST,
      ),
    [rows],
  )
}
