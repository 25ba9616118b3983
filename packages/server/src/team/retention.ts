import { type Clock, dateInZone, type LocalDate, type Month, monthAfter, monthOf, policyOn } from '@saldo/core'
import type { SqlDriver } from '../store/sql.ts'
import { removeExpired } from '../store/team/retention.ts'
import { inTransaction, TeamStore } from '../store/team/team-store.ts'

/** Returns the first month that a company still keeps on a date. */
export function firstKeptMonth(monthsKept: number, today: LocalDate): Month {
  return monthAfter(monthOf(today), -monthsKept)
}

/** Removes what companies have kept for as long as their rules say, also of accounts that are gone (D31.6). */
export async function endRetention({ driver, clock }: { driver: SqlDriver; clock: Clock }): Promise<void> {
  const today = dateInZone(clock.now(), 'UTC')
  for (const { companyId } of await new TeamStore(driver).companies()) {
    await driver.write(async (sql) => {
      const versions = await new TeamStore(inTransaction(sql)).policies(companyId)
      await removeExpired(sql, companyId, firstKeptMonth(policyOn(versions, today).months_kept, today))
    })
  }
}
