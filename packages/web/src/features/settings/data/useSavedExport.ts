import type { Export } from '@saldo/client'
import { utcDate } from '@saldo/core'
import { clock } from '../../../context/clock.ts'

/** Saves an export as a file; returns it. */
export function useSavedExport(): (exporting: Promise<Export>) => Promise<Export> {
  return async (exporting) => {
    const exported = await exporting
    save(exported.text, `saldo-${utcDate(clock.now())}.json`)
    return exported
  }
}

function save(json: string, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([json], { type: 'application/json' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
