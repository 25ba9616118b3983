import { ledgerRange } from '@saldo/client/account'
import { type ExportedAccount, HINT_DAYS } from '@saldo/client/export'
import { useDays, useEntries, useLive, useSaldo } from '@saldo/client/react'
import { buildTimeline, type DateRange } from '@saldo/core'
import { useEffect, useMemo, useState } from 'react'
import { useToday } from '../../../domain/account/TimelineProvider.tsx'
import { widened } from '../../../domain/date-ranges.ts'

/**
 * Returns the account with the entries of a range and of the days around it, and the version of its records;
 * `undefined` while it loads.
 */
export function useSheetAccount(sheetRange: DateRange): { account: ExportedAccount; version: number } | undefined {
  const saldo = useSaldo()
  const today = useToday()
  const settings = useLive(useMemo(() => saldo.settings.all(), [saldo]))
  const timeline = useMemo(() => settings && buildTimeline(settings.map(({ record }) => record)), [settings])
  const closedWeeks = useLive(useMemo(() => saldo.account.closedWeeks(), [saldo]))
  const adjustments = useLive(useMemo(() => saldo.balanceAdjustments.all(), [saldo]))
  const rows = useEntries(widened(sheetRange, HINT_DAYS))
  const range = useMemo(
    () => timeline && closedWeeks && ledgerRange(timeline[0]?.effective_from, closedWeeks, today),
    [timeline, closedWeeks, today],
  )
  const days = useDays(range)
  const account = useMemo(() => {
    if (!timeline || !closedWeeks || !adjustments || !rows || !days) return undefined
    return { timeline, entries: rows.map(({ record }) => record), days, closedWeeks, adjustments, today }
  }, [timeline, rows, days, closedWeeks, adjustments, today])
  const [version, setVersion] = useState<number>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the account can change the version
  useEffect(() => {
    void saldo.query(async (tables) => setVersion((await tables.meta()).position?.version ?? 0))
  }, [saldo, account])
  return account && version !== undefined ? { account, version } : undefined
}
