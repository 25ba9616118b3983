import { useSyncStatus } from '@saldo/client/react'
import { useEffect, useRef } from 'react'
import { hideToasts } from '../../ui/feedback/messages.tsx'

/** Hides messages of success when the service rejects a change. */
export function RejectionWatch() {
  const rejected = useSyncStatus()?.rejected ?? undefined
  const before = useRef(rejected)
  useEffect(() => {
    if (rejected === undefined) return
    if (before.current !== undefined && rejected > before.current) hideToasts()
    before.current = rejected
  }, [rejected])
  return null
}
