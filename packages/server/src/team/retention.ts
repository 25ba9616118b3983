import {
  type Clock,
  dateInZone,
  type Instant,
  type LocalDate,
  type Month,
  monthAfter,
  monthOf,
  policyOn,
  type UserNumber,
} from '@saldo/core'
import type { SqlDriver } from '../store/sql.ts'
import { removeExpired } from '../store/team/retention.ts'
import { inTransaction, type OwnCompany, TeamStore } from '../store/team/team-store.ts'
import { memberDatesByCompany } from './member-rules.ts'

/** Returns the time since which each company keeps what it has of a user who is or was a member (D29.7). */
export async function keptSinceByCompany(
  team: TeamStore,
  user: UserNumber,
  today: LocalDate,
): Promise<Map<number, Instant>> {
  const keptSince = new Map<number, Instant>()
  for (const company of (await memberDatesByCompany(team, user)).keys()) {
    keptSince.set(company, `${await firstKeptMonth(team, company, today)}-01T00:00:00.000Z`)
  }
  return keptSince
}

/** Returns the first month that a company still keeps on a date. */
async function firstKeptMonth(team: TeamStore, company: number, today: LocalDate): Promise<Month> {
  const { months_kept } = policyOn(await team.policies(company), today)
  return monthAfter(monthOf(today), -months_kept)
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
      await removeExpired(sql, companyId, await firstKeptMonth(new TeamStore(inTransaction(sql)), companyId, today))
    })
  const companies = await new TeamStore(driver).companies().catch((error: unknown) => {
    onFailure(error)
    return []
  })
  for (const company of companies) await endOf(company).catch(onFailure)
}
