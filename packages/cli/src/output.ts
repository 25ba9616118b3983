/** Prints one line on stdout. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

type Cell = string | number | boolean | null

/** Prints cells separated by tabs, without control characters, since users choose names. */
export function printRow(...cells: readonly Cell[]): void {
  print(cells.map((cell) => String(cell ?? '').replaceAll(/\p{Cc}/gu, ' ')).join('\t'))
}

/** Prints rows with a line of the names of their columns, or as one JSON array. */
export function printList<R extends object>(
  rows: readonly R[],
  columns: Record<string, (row: R) => Cell>,
  { json }: { json?: true },
): void {
  if (json) {
    print(JSON.stringify(rows))
    return
  }
  printRow(...Object.keys(columns))
  for (const row of rows) printRow(...Object.values(columns).map((cellOf) => cellOf(row)))
}
