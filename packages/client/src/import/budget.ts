import { type ImportLimit, UnreadableFileError } from './file.ts'

/** The most that reading a file may take (D11.13). Beyond, it is refused before it fills memory or takes minutes. */
export const importLimits = {
  /** Bytes of a file, for exports of Saldo of large accounts. */
  fileBytes: 256 * 1024 * 1024,
  /** Characters of a table or calendar. */
  textCharacters: 32 * 1024 * 1024,
  /** Bytes of the tables in a ZIP, together. */
  unpackedBytes: 32 * 1024 * 1024,
  /** Files in a ZIP, also empty ones: for each, the library moves all before it. */
  zipFiles: 1_000,
  /** Separators, line ends and quotation marks of a table: its cells take most of the time and memory. */
  tableMarks: 6_000_000,
  /** Columns of a table: each is compared with all names that Saldo knows, and times of day pair by pair. */
  columns: 1_000,
  /** Rows, with every occurrence of repeated events. */
  rows: 100_000,
  /** Dates that the rules of a calendar try, those of its time zones among them, and dates that it lists. */
  calendarSteps: 120_000,
  /** Values of a JSON file, with its lists and objects: each takes memory, however few bytes it has. */
  jsonValues: 12_000_000,
  /** Records of an export of Saldo. */
  records: 1_000_000,
} as const satisfies Record<ImportLimit, number>

const explanations: Record<ImportLimit, (most: string) => string> = {
  fileBytes: (most) => `the file has more than ${most} bytes`,
  textCharacters: (most) => `the file has more than ${most} characters`,
  unpackedBytes: (most) => `the ZIP unpacks to more than ${most} bytes`,
  zipFiles: (most) => `the ZIP has more than ${most} files`,
  tableMarks: (most) => `the table has more than ${most} separators, line ends and quotation marks`,
  columns: (most) => `the table has more than ${most} columns`,
  rows: (most) => `the file has more than ${most} rows`,
  calendarSteps: (most) => `the calendar lists dates, and tries them by its rules, more than ${most} times`,
  jsonValues: (most) => `the file has more than ${most} JSON values`,
  records: (most) => `the export has more than ${most} records`,
}

/** The budget of one file: what reading it has used up. */
export class ReadBudget {
  readonly #limits: Record<ImportLimit, number>
  readonly #used = new Map<ImportLimit, number>()

  constructor(limits: Record<ImportLimit, number> = importLimits) {
    this.#limits = limits
  }

  /** Uses up some of a limit. Throws `UnreadableFileError`, which names the limit, where nothing is left. */
  spend(limit: ImportLimit, amount = 1): void {
    const used = (this.#used.get(limit) ?? 0) + amount
    this.#used.set(limit, used)
    const most = this.#limits[limit]
    if (used > most) throw new UnreadableFileError('too_large', explanations[limit](most.toLocaleString('en')), limit)
  }
}
