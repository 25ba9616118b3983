import type { LocalDate, Settings } from '@saldo/core'

/** The rows that decide how days from `today` on are shown: the one in force, and those to come. */
export function rowsFrom<Row extends Pick<Settings, 'effective_from'>>(rows: readonly Row[], today: LocalDate): Row[] {
  const past = rows.filter(({ effective_from }) => effective_from <= today).map((row) => row.effective_from)
  const inForce = past.length > 0 ? past.reduce((latest, date) => (date > latest ? date : latest)) : ''
  return rows.filter(({ effective_from }) => effective_from >= inForce)
}
