import type { LocalDate, RecordId, Settings } from '@saldo/core'

/** Returns the changes that let weeks begin on another day from `today` on, in the rows that decide that. */
export function weekStartChanges(
  rows: readonly Pick<Settings, 'id' | 'effective_from'>[],
  today: LocalDate,
  week_starts_on: number,
): { id: RecordId; patch: Pick<Settings, 'week_starts_on'> }[] {
  return rowsFrom(rows, today).map(({ id }) => ({ id, patch: { week_starts_on } }))
}

/** The rows that decide how days from `today` on are shown: the one in force, and those to come. */
export function rowsFrom<Row extends Pick<Settings, 'effective_from'>>(rows: readonly Row[], today: LocalDate): Row[] {
  const past = rows.filter(({ effective_from }) => effective_from <= today).map((row) => row.effective_from)
  const inForce = past.length > 0 ? past.reduce((latest, date) => (date > latest ? date : latest)) : ''
  return rows.filter(({ effective_from }) => effective_from >= inForce)
}
