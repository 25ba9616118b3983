import { lazy, Suspense, useState } from 'react'
import { whenOnline } from '../../ui/when-online.ts'
import { useIsErased } from './session-hooks.ts'

const ErasedAccount = lazy(whenOnline(() => import('./ErasedUserAccount.tsx')))

/** Opens once by itself when the account of this device was erased. */
export function ErasedWatch() {
  const isErased = useIsErased()
  const [isClosed, setClosed] = useState(false)
  if (!isErased || isClosed) return null
  return (
    <Suspense>
      <ErasedAccount onClose={() => setClosed(true)} />
    </Suspense>
  )
}
