import type { AccountEvent, AccountTrailPage, AccountTrailRow } from '@saldo/core'

/** Pages of a trail that are read at most: years of an account with a company. */
const MAX_PAGES = 50

/** Reads all pages of a trail, the earliest rows first. */
export async function wholeTrail(
  read: (after: string | null) => Promise<AccountTrailPage>,
): Promise<AccountTrailRow[]> {
  const rows: AccountTrailRow[] = []
  let after: string | null = null
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { items, cursor } = await read(after)
    rows.push(...items)
    if (cursor === null) break
    after = cursor
  }
  return rows
}

const looks: readonly AccountEvent[] = ['days_read', 'sheet_read', 'trail_read', 'exported']

/** Returns the rows that report a look of others at days, sheets or the trail, the latest first (D25.10). */
export function looksIn(rows: readonly AccountTrailRow[]): AccountTrailRow[] {
  return rows.filter(({ kind }) => looks.includes(kind)).toReversed()
}
