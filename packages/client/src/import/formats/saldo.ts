import { check, isJsonObject, isWritableKind, itemsOf, type JsonObject, ProfilePatch } from '@saldo/core'
import type { ReadBudget } from '../budget.ts'
import type { ExportedRecord, ImportFile } from '../file.ts'

/** The order in which the records are queued: entries and adjustments need the settings of their dates. */
const kinds = ['settings_history', 'entries', 'balance_adjustments'] as const

/** True for the export of a Saldo account. */
export function isSaldoExport(json: unknown): json is JsonObject & { records: JsonObject } {
  if (!isJsonObject(json) || !isJsonObject(json.records)) return false
  return Object.keys(json.records).some(isWritableKind)
}

/** Reads the export of a Saldo account as its records, which are numbered through. Throws `UnreadableFileError`. */
export function readSaldoExport(
  { records, user }: { records: JsonObject; user?: unknown },
  budget: ReadBudget,
): Extract<ImportFile, { format: 'saldo' }> {
  const list = (kind: string) => {
    const found = itemsOf(records[kind])
    budget.spend('records', found.length)
    return found
  }
  const all: ExportedRecord[] = []
  for (const kind of kinds) for (const record of list(kind)) all.push({ row: all.length + 1, kind, record })
  return {
    format: 'saldo',
    records: all,
    profile: profileOf(user),
    closedWeeks: list('closed_weeks')
      .filter(isJsonObject)
      .map(({ week }) => String(week)),
    closedDays: list('closed_days')
      .filter(isJsonObject)
      .map(({ date }) => String(date)),
  }
}

/** Returns the profile of an exported user without its empty fields. */
function profileOf(user: unknown): ProfilePatch {
  const checked = check(ProfilePatch, user ?? {})
  return checked.ok ? Object.fromEntries(Object.entries(checked.value).filter(([, value]) => value !== '')) : {}
}
