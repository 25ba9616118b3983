import { type Clock, dateInZone, type LocalDate, type Month, monthAfter, monthOf, policyOn } from '@saldo/core'
import type { SqlDriver } from '../store/sql.ts'
import { removeExpired } from '../store/team/retention.ts'
import { inTransaction, type OwnCompany, TeamStore } from '../store/team/team-store.ts'

/** Returns the first month that a company still keeps on a date. */
export function firstKeptMonth(monthsKept: number, today: LocalDate): Month {
  return monthAfter(monthOf(today), -monthsKept)
}

interface RetentionOptions {
  driver: SqlDriver
  clock: Clock
  /** Called for each company of which it failed, and once if they could not be read. */
  onFailure(error: unknown): void
}

/**
 * Removes what companies have kept for as long as their rules say, also of accounts that are gone (D31.6). One company
 * that fails stops no other.
 */
export async function endRetention({ driver, clock, onFailure }: RetentionOptions): Promise<void> {
  const today = dateInZone(clock.now(), 'UTC')
  const endOf = ({ companyId }: OwnCompany) =>
    driver.write(async (sql) => {
      const versions = await new TeamStore(inTransaction(sql)).policies(companyId)
      await removeExpired(sql, companyId, firstKeptMonth(policyOn(versions, today).months_kept, today))
    })
  const companies = await new TeamStore(driver).companies().catch((error: unknown) => {
    onFailure(error)
    return []
  })
  for (const company of companies) await endOf(company).catch(onFailure)
}
