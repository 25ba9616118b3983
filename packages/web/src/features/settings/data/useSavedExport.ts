import type { Export } from '@saldo/client'
import { utcDate } from '@saldo/core'
import { clock } from '../../../context/clock.ts'
import { saveFile } from '../../../ui/save-file.ts'

/** Saves an export as a file; returns it. */
export function useSavedExport(): (exporting: Promise<Export>) => Promise<Export> {
  return async (exporting) => {
    const exported = await exporting
    saveFile(`saldo-${utcDate(clock.now())}.json`, new Blob([exported.text], { type: 'application/json' }))
    return exported
  }
}
