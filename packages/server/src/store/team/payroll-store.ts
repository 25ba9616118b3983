import type { Instant, LocalDate, Month, PayrollAmount, PayrollMapping, StoredSheet, UserNumber } from '@saldo/core'
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

/** The last stored sheet of somebody. */
export interface SheetOfPerson {
  user: UserNumber
  name: string
  number: number
  sheet: StoredSheet
}

const FILE = `number, month, made_by AS "by", made_at AS "at", input_digest AS "inputDigest", digest, encoding`

/** Reads personnel data, stored sheets and payroll files of a company within a transaction. */
export class PayrollReader {
  readonly #sql: SqlReader

  constructor(sql: SqlReader) {
    this.#sql = sql
  }

  personnel(company: number): Promise<Personnel[]> {
    return this.#sql.all(
      `SELECT user_id AS "user", number, cost_centre AS "costCentre", entry_date AS "entryDate", exit_date AS "exitDate"
       FROM personnel WHERE company_id = $1 ORDER BY user_id`,
      [company],
    )
  }

  async mapping(company: number): Promise<PayrollMapping | undefined> {
    const [row] = await this.#sql.all<{ mapping: string }>(
      'SELECT mapping FROM payroll_mappings WHERE company_id = $1',
      [company],
    )
    return row && readColumn('mapping', row.mapping)
  }

  /** Returns the last sheet that a company has stored of each person in months, whether they were reopened or not. */
  async sheets(company: number, { from, to }: { from: Month; to: Month }): Promise<SheetOfPerson[]> {
    const rows = await this.#sql.all<{ user: UserNumber; name: string; number: number; sheet: string }>(
      `SELECT user_id AS "user", name, number, sheet FROM month_sheets AS last
       WHERE company_id = $1 AND month >= $2 AND month <= $3 AND number =
         (SELECT MAX(number) FROM month_sheets
          WHERE user_id = last.user_id AND month = last.month AND company_id = last.company_id)
       ORDER BY month, user_id`,
      [company, from, to],
    )
    return rows.map(({ sheet, ...row }) => ({ ...row, sheet: readColumn('sheet', sheet) }))
  }

  /** Returns the locked months of users, of those who have any. */
  async lockedMonths(users: readonly UserNumber[]): Promise<Map<UserNumber, readonly Month[]>> {
    if (users.length === 0) return new Map()
    const rows = await this.#sql.all<{ user: UserNumber; month: Month }>(
      `SELECT user_id AS "user", month FROM months
       WHERE state = 'locked' AND user_id IN (SELECT CAST(item AS BIGINT) FROM ${this.#sql.dialect.eachOf('$1')})
       ORDER BY month`,
      [users.map(String)],
    )
    return new Map(
      [...Map.groupBy(rows, ({ user }) => user)].map(([user, own]) => [user, own.map(({ month }) => month)]),
    )
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

  /** Returns the amounts of the files of a month and later ones, which can have differences of earlier months too. */
  async sentAmounts(company: number, from: Month): Promise<PayrollAmount[]> {
    const rows = await this.#sql.all<{ amounts: string }>(
      'SELECT amounts FROM payroll_files WHERE company_id = $1 AND month >= $2 ORDER BY number',
      [company, from],
    )
    return rows.flatMap(({ amounts }) => readColumn('amounts', amounts))
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
    people: readonly { user: UserNumber; sheet: StoredSheet }[],
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
