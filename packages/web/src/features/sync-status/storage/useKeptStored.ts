import type { Status } from '@saldo/client'
import { useEffect } from 'react'
import { isRightMoment } from './right-moment.ts'
import { keepStored } from './storage.ts'

let isAsked = false

/** Asks the browser at the right moment, once, not to delete what is stored. */
export function useKeptStored(status: Status | undefined): void {
  const isMoment = status !== undefined && isRightMoment(status)
  useEffect(() => {
    if (!isMoment || isAsked) return
    isAsked = true
    void keepStored()
  }, [isMoment])
}
