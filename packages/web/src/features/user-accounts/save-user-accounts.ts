import { csvOf } from '@saldo/client/export'
import type { UserAccounts } from '@saldo/client/user-accounts'
import type { UserAccountRow } from '@saldo/core'
import { saveFile } from '../../ui/save-file.ts'

const PAGE_SIZE = 100

/** Columns have the names of the API, as in other tables that are exported. */
const columns = [
  'user_id',
  'name',
  'email',
  'email_confirmed',
  'state',
  'role',
  'second_factor',
  'last_active_at',
  'created_at',
  'erase_at',
  'sessions',
  'stored_bytes',
] as const satisfies readonly (keyof UserAccountRow)[]

/** Saves all accounts that a list shows as a CSV file. */
export async function saveUserAccounts(
  accounts: Pick<UserAccounts, 'find'>,
  query: Omit<Parameters<UserAccounts['find']>[0], 'offset' | 'limit'>,
): Promise<void> {
  const rows: UserAccountRow[] = []
  for (let count = Number.POSITIVE_INFINITY; rows.length < count; ) {
    const page = await accounts.find({ ...query, offset: rows.length, limit: PAGE_SIZE })
    rows.push(...page.items)
    // Accounts that go meanwhile must not keep it waiting.
    count = page.items.length === 0 ? 0 : page.count
  }
  const table = {
    columns: columns.map((name) => ({ name })),
    rows: rows.map((row) => columns.map((name) => textOf(row[name]))),
  }
  saveFile('userAccounts.csv', new Blob([csvOf(table)], { type: 'text/csv;charset=utf-8' }))
}

function textOf(value: UserAccountRow[keyof UserAccountRow]) {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : value
}
