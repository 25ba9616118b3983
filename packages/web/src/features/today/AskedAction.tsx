import { actionToReach, timerActions } from '@saldo/client/entries'
import { lazy, Suspense, useEffectEvent, useLayoutEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { DayTimer } from '../../domain/entries/useDayTimer.ts'

const AskedDialog = lazy(() => import('./AskedDialog.tsx'))

/**
 * Asks before the timer does what the address wants (D8.42): shortcuts of the installed app lead to `/?do=start` and
 * the like, and so can every other page. Each address asks once.
 */
export function AskedAction({ timer: { state, press } }: { timer: DayTimer }) {
  const [params, setParams] = useSearchParams()
  const [wanted, setWanted] = useState(() => timerActions.find((action) => action === params.get('do')))
  const forgetAddress = useEffectEvent(() => params.has('do') && setParams({}, { replace: true }))
  // Before the dialog adds its entry to the history.
  useLayoutEffect(() => void forgetAddress(), [])
  const action = wanted && actionToReach(wanted, state)
  if (!action) return null
  const name = action === 'start' && state.kind === 'break' ? 'resume' : action
  const close = () => setWanted(undefined)
  return (
    <Suspense>
      <AskedDialog name={name} onClose={close} onYes={() => press(action)} />
    </Suspense>
  )
}
