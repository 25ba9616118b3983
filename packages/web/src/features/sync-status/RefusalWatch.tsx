import { useEffect, useRef } from 'react'
import { useSaldo } from '../../context/saldo.tsx'
import { useLive } from '../../context/useLive.ts'
import { hideToasts } from '../../ui/feedback/toast.tsx'

/** Takes away what says that something was done, once the service has refused a change. */
export function RefusalWatch() {
  const rejected = useLive(useSaldo().status)?.rejected ?? undefined
  const before = useRef(rejected)
  useEffect(() => {
    if (rejected === undefined) return
    if (before.current !== undefined && rejected > before.current) hideToasts()
    before.current = rejected
  }, [rejected])
  return null
}
