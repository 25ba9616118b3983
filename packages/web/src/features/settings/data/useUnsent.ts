import { useSaldo } from '../../../context/saldo.tsx'
import { useLive } from '../../../context/useLive.ts'

/** Returns the number of changes that only this device has: unsent and rejected ones. */
export function useUnsent(): number {
  const saldo = useSaldo()
  const status = useLive(saldo.status)
  return (status?.unsent ?? 0) + (status?.rejected ?? 0)
}
