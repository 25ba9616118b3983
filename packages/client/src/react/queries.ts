import type { DateRange, Entry, LocalDate } from '@saldo/core'
import { useMemo } from 'react'
import type { Status } from '../api/status.ts'
import type { ShownRecord } from '../engine/shown-record.ts'
import type { ForecastBalance, ForecastDay } from '../queries/forecast.ts'
import { useSaldo } from './saldo-provider.ts'
import { useLive } from './use-live.ts'

/**
 * Returns the entries that touch the account's dates of a range, or all entries, with unsent changes applied;
 * `undefined` until they are read.
 */
export function useEntries(range?: DateRange): ShownRecord<Entry>[] | undefined {
  const { entries } = useSaldo()
  const { from, to } = range ?? {}
  return useLive(useMemo(() => (from && to ? entries.between({ from, to }) : entries.all()), [entries, from, to]))
}

/** Returns each day of a range, its closed-period figures and a forecast; `undefined` until they are computed. */
export function useDays(range: DateRange | undefined): ForecastDay[] | undefined {
  const { account } = useSaldo()
  const { from, to } = range ?? {}
  return useLive(useMemo(() => (from && to ? account.days({ from, to }) : undefined), [account, from, to]))
}

/**
 * Returns the balance up to the end of yesterday, confirmed and with unsent changes; `undefined` until it is computed.
 * It is computed anew after changes, and when `today` is another date.
 */
export function useBalance(today?: LocalDate): ForecastBalance | undefined {
  const { account } = useSaldo()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the balance depends on the date
  return useLive(useMemo(() => account.balance(), [account, today]))
}

/** Returns the state of the sync and the numbers of unsent and rejected changes; `undefined` until they are read. */
export function useSyncStatus(): Status | undefined {
  return useLive(useSaldo().status)
}
