import type { Month } from '@saldo/core'
import type { SqlWriter } from '../sql.ts'

/** True for rows of whoever has no account any more. */
const isErased = (table: string) => `NOT EXISTS (SELECT 1 FROM users WHERE users.id = ${table}.user_id)`

/**
 * Removes what a company has kept from before a month: stored sheets and payroll files of all, and the trails of erased
 * accounts (D31.6). A trail whose account is there begins behind a checkpoint instead (`pruneTrail`). Personnel data of
 * an erased account go with the last sheet.
 */
export async function removeExpired(sql: SqlWriter, company: number, first: Month): Promise<void> {
  await sql.run('DELETE FROM month_sheets WHERE company_id = $1 AND month < $2', [company, first])
  await sql.run('DELETE FROM payroll_files WHERE company_id = $1 AND month < $2', [company, first])
  await sql.run(`DELETE FROM account_trail WHERE company_id = $1 AND at < $2 AND ${isErased('account_trail')}`, [
    company,
    `${first}-01T00:00:00.000Z`,
  ])
  await sql.run(
    `DELETE FROM personnel WHERE company_id = $1 AND ${isErased('personnel')}
       AND NOT EXISTS (SELECT 1 FROM month_sheets WHERE company_id = $1 AND month_sheets.user_id = personnel.user_id)`,
    [company],
  )
}
