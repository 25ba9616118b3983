import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useSaldo } from '../../context/saldo.tsx'
import { useLive } from '../../context/useLive.ts'
import { TimelineProvider } from '../../domain/account/TimelineProvider.tsx'
import { hasSkipped, rememberSkip } from '../../domain/work-hours/skipped-first-run.ts'
import { Fetching } from './Fetching.tsx'

const FirstRun = lazy(() => import('./FirstRun.tsx'))

interface Props {
  /** What tells how it stands with the service. */
  indicator: ReactNode
  children: ReactNode
}

/** Lets in who has an account, or wants to do without; asks who is new. Nobody is new before the service was heard. */
export function FirstRunGate({ indicator, children }: Props) {
  const saldo = useSaldo()
  const rows = useLive(useMemo(() => saldo.settings.all(), [saldo]))
  const settings = useMemo(() => rows?.map(({ record }) => record), [rows])
  const status = useLive(saldo.status)
  const [isSkipped, setSkipped] = useState(() => hasSkipped(saldo.user))
  if (!settings || !status) return null
  if (settings.length > 0 || isSkipped) return <TimelineProvider settings={settings}>{children}</TimelineProvider>
  if (status.lastSuccessMs === null) return <Fetching indicator={indicator} />
  const skip = () => {
    rememberSkip(saldo.user)
    setSkipped(true)
  }
  return (
    <Suspense>
      <FirstRun onSkip={skip} />
    </Suspense>
  )
}
