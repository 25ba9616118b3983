import {
  type LocalDate,
  type Month,
  type PayrollFault,
  type PayrollMapping,
  type PersonnelRow,
  windowsByte,
} from '@saldo/core'
import { parsePlace } from '../board/board-model.ts'

/** A part of the page of payroll, and the month of its files. */
export type PayrollPlace = { part: 'files'; month: Month } | { part: 'personnel' | 'mapping' }

/** The parts of the page of payroll. */
export const payrollParts = ['files', 'personnel', 'mapping'] as const

/** Parses a part of an address: a month, or the name of another part; without one, the last month that has ended. */
export function parsePayrollPlace(part: string | undefined, today: LocalDate): PayrollPlace | undefined {
  if (part === 'personnel' || part === 'mapping') return { part }
  const place = parsePlace(part, today)
  return place?.user === undefined && place ? { part: 'files', month: place.month } : undefined
}

/** Returns the place where an obstacle is settled. */
export function placeToSettle({ fault }: PayrollFault): 'mapping' | 'personnel' | 'months' {
  switch (fault) {
    case 'no_mapping':
    case 'not_encodable':
      return 'mapping'
    case 'no_number':
    case 'shared_number':
      return 'personnel'
    case 'not_locked':
      return 'months'
  }
}

/** Returns the bytes of a draft. The service has checked that the encoding holds all of its characters (D31.3). */
export function draftBytes(text: string, encoding: PayrollMapping['encoding']): Uint8Array<ArrayBuffer> {
  if (encoding === 'utf-8') return new TextEncoder().encode(text)
  return Uint8Array.from([...text], (character) => windowsByte(character) ?? 0x3f)
}

/** Returns the people whose name, address or personnel number has a text. */
export function personnelMatching(people: readonly PersonnelRow[], search: string): PersonnelRow[] {
  const words = search.trim().toLowerCase()
  return people.filter(({ name, email, number }) =>
    [name, email, number].some((text) => text.toLowerCase().includes(words)),
  )
}
