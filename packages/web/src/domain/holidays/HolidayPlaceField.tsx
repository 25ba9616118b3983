import { Skeleton } from '@mantine/core'
import type { HolidayRule } from '@saldo/core'
import { lazy, Suspense } from 'react'

const HolidayPlace = lazy(() => import('./HolidayPlace.tsx'))

interface Props {
  value: HolidayRule | null
  onChange: (rule: HolidayRule | null) => void
}

/** Chooses whose public holidays there are, once the library of holidays is loaded. */
export function HolidayPlaceField(props: Props) {
  return (
    <Suspense fallback={<Skeleton h={62} />}>
      <HolidayPlace {...props} />
    </Suspense>
  )
}
