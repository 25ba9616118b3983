import { useSaldo } from '../../../context/saldo.tsx'
import { useLive } from '../../../context/useLive.ts'

/** How many changes are on this device only: those that wait, and those that the service refused. */
export function useUnsent(): number {
  const saldo = useSaldo()
  const status = useLive(saldo.status)
  return (status?.unsent ?? 0) + (status?.rejected ?? 0)
}
