import type { Export } from '@saldo/client'
import { useSyncStatus } from '@saldo/client/react'
import { utcDate } from '@saldo/core'
import { clock } from '../../../context/clock.ts'
import { countOnlyHere } from '../../../domain/session/leave-device.ts'
import { saveFile } from '../../../ui/save-file.ts'

/** Saves an export as a file; returns it. */
export function useSavedExport(): (exporting: Promise<Export>) => Promise<Export> {
  return async (exporting) => {
    const exported = await exporting
    saveFile(`saldo-${utcDate(clock.now())}.json`, new Blob([exported.text], { type: 'application/json' }))
    return exported
  }
}

/** Returns the number of changes that only this device has: unsent and rejected ones. */
export function useUnsent(): number {
  return countOnlyHere(useSyncStatus())
}
