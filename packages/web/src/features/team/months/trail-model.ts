import type { AccountTrailPage, AccountTrailRow } from '@saldo/core'

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
