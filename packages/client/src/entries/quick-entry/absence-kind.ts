import { type AbsenceContent, absenceKinds } from '@saldo/core'
import { lineOf } from '../../reading/line.ts'
import { ABSENCES } from './words.ts'

/** Reads a text that is a kind of absence and nothing else: `time_off_in_lieu`, `Urlaub`, `krank`. */
export function readAbsenceKind(text: string): AbsenceContent['kind'] | undefined {
  const named = absenceKinds.find((kind) => kind === text)
  if (named) return named
  const line = lineOf(text)
  const absence = line.phrase(0, ABSENCES)
  const kinds = absence?.next === line.count && !absence.value.isNoted ? absence.value.kinds : []
  return kinds.length === 1 ? kinds[0] : undefined
}
