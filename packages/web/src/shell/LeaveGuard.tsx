import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { type AroundNavHandler, Router } from 'wouter'
import { UnsavedContext } from '../ui/unsaved.ts'
import { useWayBack } from '../ui/way-back.ts'
import { whenOnline } from '../ui/when-online.ts'

const DiscardQuestion = lazy(
  whenOnline(async () => ({ default: (await import('../ui/DiscardQuestion.tsx')).DiscardQuestion })),
)

/**
 * Asks before a view with changes in a form goes: by a link or an act that leads to another address, and by the way
 * back of the browser. Forms in dialogs are left to their dialogs.
 */
export function LeaveGuard({ children }: { children: ReactNode }) {
  const unsavedForms = useRef(0)
  const [isUnsaved, setUnsaved] = useState(false)
  const [leave, setLeave] = useState<{ go: () => void }>()
  const [isGoingBack, setGoingBack] = useState(false)
  if (isGoingBack && !isUnsaved) setGoingBack(false)
  const beginUnsaved = useCallback(() => {
    const count = (by: 1 | -1) => {
      unsavedForms.current += by
      setUnsaved(unsavedForms.current > 0)
    }
    count(1)
    return () => count(-1)
  }, [])
  const aroundNav = useCallback<AroundNavHandler>((navigate, to, options) => {
    const go = () => navigate(to, options)
    const isElsewhere = new URL(to, location.href).pathname !== location.pathname
    if (unsavedForms.current > 0 && isElsewhere) setLeave({ go })
    else go()
  }, [])
  // The overlay's entry of the history goes first.
  useEffect(() => {
    if (isGoingBack) history.back()
  }, [isGoingBack])
  return (
    <Router aroundNav={aroundNav}>
      <UnsavedContext value={beginUnsaved}>{children}</UnsavedContext>
      {isUnsaved && !isGoingBack && <WayBack onBack={() => setLeave({ go: () => setGoingBack(true) })} />}
      {leave && (
        <Suspense>
          <DiscardQuestion
            onKeep={() => setLeave(undefined)}
            onDiscard={() => {
              setLeave(undefined)
              leave.go()
            }}
          />
        </Suspense>
      )}
    </Router>
  )
}

function WayBack({ onBack }: { onBack: () => void }) {
  useWayBack(onBack)
  return null
}
