import { asLine } from '@saldo/core'

/** The styles of `styled`, which a line keeps. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles begin with the escape character
const STYLE = /(\u001b\[(?:1|2|22|3[1-3]|39)m)/

/** Returns a line for a terminal: of what a line does not have (D1.39), it keeps styles only. */
function asTerminalLine(line: string): string {
  return line
    .split(STYLE)
    .map((part) => (STYLE.test(part) ? part : asLine(part)))
    .join('')
}

/** Prints one line on stdout. */
export function print(line: string): void {
  process.stdout.write(`${asTerminalLine(line)}\n`)
}

/** Prints one line on stderr, after the name of the program. */
export function printNotice(line: string): void {
  process.stderr.write(`saldo: ${asLine(line)}\n`)
}

/** Prints a value as JSON on one line, with escapes for what a line does not have. */
export function printJson(value: unknown): void {
  process.stdout.write(`${jsonLine(value)}\n`)
}

/** Returns a value as JSON on one line, with escapes for what a line does not have. */
export function jsonLine(value: unknown): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return asLine(JSON.stringify(value), (units) => units.split('').map(escaped).join(''))
}

type Cell = string | number | boolean | null

/** Prints cells separated by tabs, each of them a line, since users choose names. */
export function printRow(...cells: readonly Cell[]): void {
  process.stdout.write(`${cells.map((cell) => asLine(String(cell ?? ''))).join('\t')}\n`)
}

/** Prints rows with a line of the names of their columns, or as one JSON array. */
export function printList<R extends object>(
  rows: readonly R[],
  columns: Record<string, (row: R) => Cell>,
  { json }: { json?: true },
): void {
  if (json) {
    printJson(rows)
    return
  }
  printRow(...Object.keys(columns))
  for (const row of rows) printRow(...Object.values(columns).map((cellOf) => cellOf(row)))
}
