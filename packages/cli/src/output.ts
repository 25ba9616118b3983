/** Prints one line on stdout. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Prints a line of a list, its cells parted by tabs. What would steer a terminal is left out: users choose names. */
export function printRow(...cells: readonly (string | number)[]): void {
  print(cells.map((cell) => String(cell).replaceAll(/\p{Cc}/gu, ' ')).join('\t'))
}
