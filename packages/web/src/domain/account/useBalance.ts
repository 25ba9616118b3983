import type { DurationMs } from '@saldo/core'
import { useMemo } from 'react'
import { useSaldo } from '../../context/saldo.tsx'
import { useLive } from '../../context/useLive.ts'
import { currentBalanceMs } from './current-balance.ts'
import { useToday } from './useToday.ts'

/** Returns the balance up to yesterday, with open days and unsent changes; `undefined` while it is computed. */
export function useBalance(): DurationMs | undefined {
  const saldo = useSaldo()
  const today = useToday()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the balance depends on the date
  const balance = useLive(useMemo(() => saldo.account.balance(), [saldo, today]))
  return balance && currentBalanceMs(balance)
}
