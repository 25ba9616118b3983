import {
  type Instant,
  type LocalDate,
  type Month,
  type PayrollAmount,
  type PayrollMapping,
  type PayrollSheet,
  payrollSheet,
  type UserNumber,
} from '@saldo/core'
import type { JobTask } from '../job-task.ts'
import { readColumn } from '../json-columns.ts'
import type { SqlReader, SqlWriter } from '../sql.ts'

/** The personnel data of somebody in a company (D31.1). */
export interface Personnel {
  user: UserNumber
  /** The personnel number; empty if there is none. */
  number: string
  costCentre: string
  entryDate: LocalDate | null
  exitDate: LocalDate | null
}

/** A payroll file that was made; a draft is not kept. */
export interface PayrollFile {
  number: number
  month: Month
  by: UserNumber
  at: Instant
  /** SHA-256 of sheets, mapping and people from which it was made. */
  inputDigest: string
  /** SHA-256 of its bytes. */
  digest: string
  encoding: PayrollMapping['encoding']
}

/** The last stored sheet of somebody in a month, unread. */
export interface SheetKey {
  user: UserNumber
  month: Month
  number: number
  /** The name that the sheet has. */
  name: string
}

/** So many sheets are read at once: one has some kilobytes, or two megabytes with a thousand entries a day. */
const SHEETS_PER_READ = 20

const FILE = `number, month, made_by AS "by", made_at AS "at", input_digest AS "inputDigest", digest, encoding`

/** Reads personnel data, stored sheets and payroll files of a company within a transaction. */
export class PayrollReader {
  readonly #sql: SqlReader

  constructor(sql: SqlReader) {
    this.#sql = sql
  }

  /** Returns the personnel data of all people of a company, or of one. */
  personnel(company: number, user?: UserNumber): Promise<Personnel[]> {
    return this.#sql.all(
      `SELECT user_id AS "user", number, cost_centre AS "costCentre", entry_date AS "entryDate", exit_date AS "exitDate"
       FROM personnel WHERE company_id = $1 AND user_id = COALESCE(CAST($2 AS BIGINT), user_id) ORDER BY user_id`,
      [company, user ?? null],
    )
  }

  async mapping(company: number): Promise<PayrollMapping | undefined> {
    const [row] = await this.#sql.all<{ mapping: string }>(
      'SELECT mapping FROM payroll_mappings WHERE company_id = $1',
      [company],
    )
    return row && readColumn('mapping', row.mapping)
  }

  /** Returns the last sheet that a company has stored of each person in a month, whether it was reopened or not. */
  sheetKeys(company: number, month: Month): Promise<SheetKey[]> {
    return this.#sql.all(
      `SELECT user_id AS "user", month, number, name FROM month_sheets AS last
       WHERE company_id = $1 AND month = $2 AND number =
         (SELECT MAX(number) FROM month_sheets
          WHERE user_id = last.user_id AND month = last.month AND company_id = last.company_id)
       ORDER BY user_id`,
      [company, month],
    )
  }

  /** Returns the months before another of which a company has stored a sheet again, in order. */
  async monthsLockedAgain(company: number, before: Month): Promise<Month[]> {
    const rows = await this.#sql.all<{ month: Month }>(
      `SELECT DISTINCT month FROM month_sheets WHERE company_id = $1 AND number > 1 AND month < $2 ORDER BY month`,
      [company, before],
    )
    return rows.map(({ month }) => month)
  }

  /** Yields the part of each sheet that payroll takes, with its key, a few at a time. */
  async *sheets(keys: readonly SheetKey[]): AsyncGenerator<{ key: SheetKey; sheet: PayrollSheet }> {
    for (const [month, ofMonth] of Map.groupBy(keys, (key) => key.month)) {
      for (let at = 0; at < ofMonth.length; at += SHEETS_PER_READ) {
        const some = new Map(ofMonth.slice(at, at + SHEETS_PER_READ).map((key) => [`${key.user} ${key.number}`, key]))
        const users = [...some.values()].map(({ user }) => String(user))
        const rows = await this.#sql.all<{ user: UserNumber; number: number; sheet: string }>(
          `SELECT user_id AS "user", number, sheet FROM month_sheets
           WHERE month = $1 AND ${this.#sql.dialect.isOneOf('user_id', '$2')}`,
          [month, users],
        )
        for (const { user, number, sheet } of rows) {
          const key = some.get(`${user} ${number}`)
          if (key) yield { key, sheet: payrollSheet(readColumn('sheet', sheet)) }
        }
      }
    }
  }

  /** Returns those of the users whose month is locked. */
  async lockedIn(month: Month, users: readonly UserNumber[]): Promise<Set<UserNumber>> {
    const rows = await this.#sql.all<{ user: UserNumber }>(
      `SELECT user_id AS "user" FROM months
       WHERE state = 'locked' AND month = $1 AND ${this.#sql.dialect.isOneOf('user_id', '$2')}`,
      [month, users.map(String)],
    )
    return new Set(rows.map(({ user }) => user))
  }

  /** Returns the files of a company, the latest first. */
  files(company: number): Promise<PayrollFile[]> {
    return this.#sql.all(`SELECT ${FILE} FROM payroll_files WHERE company_id = $1 ORDER BY number DESC`, [company])
  }

  /** Returns the text of a file with what is known of it. */
  async file(company: number, number: number): Promise<(PayrollFile & { content: string }) | undefined> {
    const [row] = await this.#sql.all<PayrollFile & { content: string }>(
      `SELECT ${FILE}, content FROM payroll_files WHERE company_id = $1 AND number = $2`,
      [company, number],
    )
    return row
  }

  /** Returns the numbers of the files of a month and later ones, in order. */
  async fileNumbers(company: number, from: Month): Promise<number[]> {
    const rows = await this.#sql.all<{ number: number }>(
      'SELECT number FROM payroll_files WHERE company_id = $1 AND month >= $2 ORDER BY number',
      [company, from],
    )
    return rows.map(({ number }) => number)
  }

  /** Returns the amounts of a file, which can have differences of earlier months too. */
  async amounts(company: number, number: number): Promise<PayrollAmount[]> {
    const [row] = await this.#sql.all<{ amounts: string }>(
      'SELECT amounts FROM payroll_files WHERE company_id = $1 AND number = $2',
      [company, number],
    )
    return row ? readColumn('amounts', row.amounts) : []
  }
}

/** Writes them in a transaction that has locked the company. */
export class PayrollWriter extends PayrollReader {
  readonly #sql: SqlWriter

  constructor(sql: SqlWriter) {
    super(sql)
    this.#sql = sql
  }

  async putPersonnel(company: number, { user, number, costCentre, entryDate, exitDate }: Personnel): Promise<void> {
    await this.#sql.run(
      `INSERT INTO personnel (company_id, user_id, number, cost_centre, entry_date, exit_date)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (company_id, user_id) DO UPDATE SET number = excluded.number, cost_centre = excluded.cost_centre,
         entry_date = excluded.entry_date, exit_date = excluded.exit_date`,
      [company, user, number, costCentre, entryDate, exitDate],
    )
  }

  async putMapping(company: number, mapping: PayrollMapping): Promise<void> {
    await this.#sql.run(
      `INSERT INTO payroll_mappings (company_id, mapping) VALUES ($1, $2)
       ON CONFLICT (company_id) DO UPDATE SET mapping = excluded.mapping`,
      [company, JSON.stringify(mapping)],
    )
  }

  async putFile(
    company: number,
    { number, month, by, at, inputDigest, digest, encoding }: PayrollFile,
    content: string,
    amounts: readonly PayrollAmount[],
  ): Promise<void> {
    await this.#sql.run(
      `INSERT INTO payroll_files
         (company_id, number, month, made_by, made_at, input_digest, digest, encoding, content, amounts)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [company, number, month, by, at, inputDigest, digest, encoding, content, JSON.stringify(amounts)],
    )
  }

  /** Leaves a job for each person of a file that says so in their trail (D29.1); those who were erased have none. */
  async enqueueTrails(
    company: number,
    { number, month, by }: Pick<PayrollFile, 'number' | 'month' | 'by'>,
    people: readonly { user: UserNumber; sheet: PayrollSheet }[],
  ): Promise<void> {
    const taskByUser = people.map(({ user, sheet }) => {
      const task: JobTask = { kind: 'export_trail', company, actor: by, month, checkCode: sheet.check_code }
      return [String(user), JSON.stringify(task)] as const
    })
    for (const [user, task] of taskByUser) {
      await this.#sql.run(
        `INSERT INTO jobs (user_id, id, due_ms, task)
         SELECT id, CAST($2 AS TEXT), 0, CAST($3 AS TEXT) FROM users WHERE id = CAST($1 AS BIGINT)
         ON CONFLICT (user_id, id) DO NOTHING`,
        [user, `export_trail ${month} ${number}`, task],
      )
    }
  }
}
