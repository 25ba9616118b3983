import { useSaldo } from '@saldo/client/react'
import { lazy, Suspense, useMemo } from 'react'
import { datesOfPeriod, type Period } from '../period.ts'
import { printedSheets, printsIn } from './sheet-model.ts'

const ChangedMonths = lazy(() => import('./ChangedMonths.tsx'))

/** Names the months of a period that have changed after they were printed on this device (D13.6). */
export function PrintMarks({ period }: { period: Period }) {
  const { user } = useSaldo()
  const { from, to } = datesOfPeriod(period)
  const printed = useMemo(() => printsIn(printedSheets(user), { from, to }), [user, from, to])
  if (Object.keys(printed).length === 0) return undefined
  return (
    <Suspense>
      <ChangedMonths range={{ from, to }} printed={printed} />
    </Suspense>
  )
}
