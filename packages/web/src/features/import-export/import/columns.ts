import type { ColumnMapping, TableHead } from '@saldo/client/import'

/** The values of a column that are shown as examples. */
const SAMPLES = 3

/** Returns a mapping with another column for a field, or none. A column holds one thing: it leaves other fields. */
export function mapColumn(columns: ColumnMapping, field: keyof ColumnMapping, name: string | null): ColumnMapping {
  const others = Object.entries(columns).filter(([other, column]) => other !== field && column !== name)
  return Object.fromEntries(name === null ? others : [...others, [field, name]])
}

/** Returns the first values of a column, each once. */
export function samplesOf(
  { header, samples }: Pick<TableHead, 'header' | 'samples'>,
  name: string | undefined,
): string[] {
  const place = name === undefined ? -1 : header.indexOf(name)
  const values = samples.map((cells) => cells[place]?.trim() ?? '').filter((value) => value !== '')
  return [...new Set(values)].slice(0, SAMPLES)
}
