/** Prints one line on stdout. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Prints cells separated by tabs, without control characters, since users choose names. */
export function printRow(...cells: readonly (string | number)[]): void {
  print(cells.map((cell) => String(cell).replaceAll(/\p{Cc}/gu, ' ')).join('\t'))
}
