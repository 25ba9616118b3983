import { useBalance } from '@saldo/client/react'
import type { DurationMs } from '@saldo/core'
import { currentBalanceMs } from './current-balance.ts'
import { useToday } from './useToday.ts'

/** Returns the balance up to yesterday, with open days and unsent changes; `undefined` while it is computed. */
export function useCurrentBalance(): DurationMs | undefined {
  const balance = useBalance(useToday())
  return balance && currentBalanceMs(balance)
}
