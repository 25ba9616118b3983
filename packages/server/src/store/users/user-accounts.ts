import type { Instant, UserAccountRow, UserAccountState, UserNumber, UserRole } from '@saldo/core'
import type { SqlDriver } from '../sql.ts'
import { keepFormerNames } from '../team/former-names.ts'
import { erasingLeavesNoHr } from '../team/hr-grants.ts'
import { restRoles } from '../team/resting-roles.ts'
import { endUnprovenTies } from '../team/unproven-ties.ts'
import { deletingUsers, endSessionsAndLinks, HAS_KEY, isLastAdmin, removeDeleted, withAddress } from './user-rows.ts'
import type { SessionLimits } from './users.ts'

/** The fields by which lists of accounts are searched, filtered and sorted. */
export interface UserAccountSummary {
  id: UserNumber
  email: string
  name: string
  role: UserRole
  state: UserAccountState
  lastActiveAt: Instant | null
  hasPassword: boolean
  hasSecondFactor: boolean
  isConfirmed: boolean
}

/** A change that admins and operators make of an account; fields that are left out stay as they are. */
export interface UserAccountEdit {
  name?: string | undefined
  email?: string | undefined
  role?: UserRole | undefined
  active?: boolean | undefined
  /** When a deactivated account is erased. */
  eraseAt?: Instant | undefined
}

/**
 * `changed` has what was stored before. `last_admin`: nobody would be left who can manage accounts (D19.2); `only_hr`:
 * erasing would leave a company without HR (D24.20); `deactivated`: the address of such an account stays.
 */
export type UserAccountEditOutcome =
  | { outcome: 'changed'; before: StoredUser }
  | { outcome: 'not_found' | 'last_admin' | 'only_hr' | 'email_taken' | 'deactivated' }

/** The fields of a user that `UserAccountEdit` changes. */
export interface StoredUser {
  name: string
  email: string
  email_confirmed_at: Instant | null
  role: UserRole
  deactivated_at: Instant | null
  erase_at: Instant | null
}

type Computed = 'state' | 'user_id' | 'stored_bytes' | 'second_factor' | 'email_confirmed'
interface StoredUserAccount extends Omit<UserAccountRow, Computed> {
  user_id: UserNumber
  email_confirmed_at: Instant | null
  deactivated_at: Instant | null
  has_key: number
  second_factor: number
}

interface StoredSummary extends Omit<UserAccountSummary, 'state' | 'hasPassword' | 'hasSecondFactor' | 'isConfirmed'> {
  email_confirmed_at: Instant | null
  deactivated_at: Instant | null
  erase_at: Instant | null
  has_key: number
  has_password: number
  second_factor: number
}

/** 1 if a user has confirmed a second factor. */
const HAS_FACTOR = `CASE WHEN EXISTS (SELECT 1 FROM second_factors
  WHERE second_factors.user_id = users.id AND confirmed_at IS NOT NULL) THEN 1 ELSE 0 END`

/** Accounts as admins manage them. Nothing here reads a record. */
export class UserAccountStore {
  readonly #driver: SqlDriver

  constructor(driver: SqlDriver) {
    this.#driver = driver
  }

  /** Returns all accounts in the order of their addresses, by one statement. */
  async summaries(): Promise<UserAccountSummary[]> {
    const rows = await this.#driver.all<StoredSummary>(
      `SELECT id, email, email_confirmed_at, name, role, deactivated_at, erase_at, last_active_at AS "lastActiveAt",
         ${HAS_KEY} AS has_key, CASE WHEN password_hash IS NULL THEN 0 ELSE 1 END AS has_password,
         ${HAS_FACTOR} AS second_factor
       FROM users ORDER BY email`,
    )
    return rows.map(
      ({ deactivated_at, erase_at, has_key, has_password, second_factor, email_confirmed_at, ...row }) => ({
        ...row,
        isConfirmed: email_confirmed_at !== null,
        state: stateOf(deactivated_at, erase_at, has_key),
        hasPassword: has_password === 1,
        hasSecondFactor: second_factor === 1,
      }),
    )
  }

  /** Returns the accounts with these ids, in their order. */
  async rows(ids: readonly UserNumber[], { now, begunSince }: SessionLimits): Promise<UserAccountRow[]> {
    return this.#driver.read(async (sql) => {
      const rows = await sql.all<StoredUserAccount>(
        `SELECT users.id AS user_id, email, email_confirmed_at, name, role, created_at, last_active_at,
           deactivated_at, erase_at,
           (SELECT COUNT(*) FROM sessions
            WHERE user_id = users.id AND expires_at > $2 AND created_at >= $3) AS sessions,
           (SELECT mail FROM account_links
            WHERE user_id = users.id AND purpose = 'password' AND expires_at > $2
            ORDER BY expires_at DESC, hash LIMIT 1) AS link_mail,
           ${HAS_KEY} AS has_key, ${HAS_FACTOR} AS second_factor
         FROM users WHERE id IN (SELECT CAST(item AS BIGINT) FROM ${sql.dialect.eachOf('$1')}) ORDER BY email`,
        [ids.map(String), now, begunSince],
      )
      const accounts: UserAccountRow[] = []
      for (const row of rows) {
        const counter = 'SELECT stored_bytes FROM counters WHERE user_id = $1'
        const [found] = await sql.all<{ stored_bytes: number }>(counter, [row.user_id])
        accounts.push(accountOf(row, found?.stored_bytes ?? 0))
      }
      const placeById = new Map<number, number>(ids.map((id, index) => [id, index]))
      const place = ({ user_id }: UserAccountRow) => placeById.get(user_id) ?? 0
      return accounts.toSorted((a, b) => place(a) - place(b))
    })
  }

  /**
   * Changes an account, all of it or nothing. Whoever is deactivated loses their sessions and links; data and keys
   * stay, are refused meanwhile, and work again with the account (D19.9). An address counts as confirmed (D8.40); a new
   * one revokes the links that went to the old one.
   */
  change(user: UserNumber, change: UserAccountEdit, at: Instant): Promise<UserAccountEditOutcome> {
    const { name, email, role, active, eraseAt = null } = change
    return withAddress(this.#driver, user, email, async (sql, isTaken): Promise<UserAccountEditOutcome> => {
      // Companies are locked before users, as by every write of roles.
      if (eraseAt !== null && (await erasingLeavesNoHr(sql, user, at))) return { outcome: 'only_hr' }
      if ((active === false || role === 'user') && (await isLastAdmin(sql, user))) return { outcome: 'last_admin' }
      const [before] = await sql.all<StoredUser>(
        `SELECT name, email, email_confirmed_at, role, deactivated_at, erase_at FROM users
         WHERE id = $1${sql.dialect.locking('FOR UPDATE')}`,
        [user],
      )
      if (!before) return { outcome: 'not_found' }
      const after: StoredUser = { ...before, name: name ?? before.name, email: email ?? before.email }
      after.role = role ?? before.role
      if (active !== undefined) {
        after.deactivated_at = active ? null : (before.deactivated_at ?? at)
        // Erasing begins once, and only reactivating ends it (D19.10).
        after.erase_at = active ? null : (before.erase_at ?? eraseAt)
      }
      const isMoved = after.email !== before.email
      if (isMoved && after.deactivated_at !== null) return { outcome: 'deactivated' }
      if (isMoved && (await isTaken(sql))) return { outcome: 'email_taken' }
      if (isMoved || (email !== undefined && before.email_confirmed_at === null)) after.email_confirmed_at = at
      if (after.name !== before.name || isMoved) await keepFormerNames(sql, user, at)
      await sql.run(
        `UPDATE users SET name = $2, email = $3, email_confirmed_at = $4, role = $5, deactivated_at = $6, erase_at = $7
         WHERE id = $1`,
        [
          ...[user, after.name, after.email, after.email_confirmed_at, after.role],
          ...[after.deactivated_at, after.erase_at],
        ],
      )
      if (isMoved) {
        await sql.run('DELETE FROM account_links WHERE user_id = $1', [user])
        if (before.email_confirmed_at === null) await endUnprovenTies(sql, user, at)
        // Links to reset the password go to the new address.
        await restRoles(sql, user, at)
      }
      if (active === false) await endSessionsAndLinks(sql, user)
      return { outcome: 'changed', before }
    })
  }

  /**
   * Removes a user who has not accepted an invitation: nobody has signed in, and nothing is recorded. False for anybody
   * else.
   */
  withdraw(user: UserNumber): Promise<boolean> {
    return deletingUsers(this.#driver, async (sql, remove) => {
      // The counter is locked first, as by every write of records.
      await sql.all(`SELECT user_id FROM counters WHERE user_id = $1${sql.dialect.locking('FOR UPDATE')}`, [user])
      const [invited] = await sql.all(
        `SELECT id FROM users WHERE id = $1 AND password_hash IS NULL AND last_active_at IS NULL
           AND NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = users.id)
           AND NOT EXISTS (SELECT 1 FROM oidc_identities WHERE user_id = users.id)
           AND NOT EXISTS (SELECT 1 FROM tokens WHERE user_id = users.id)
           AND NOT EXISTS (SELECT 1 FROM counters WHERE user_id = $1 AND version > 0)
         ${sql.dialect.locking('FOR UPDATE')}`,
        [user],
      )
      if (invited) await remove(user)
      return invited !== undefined
    })
  }

  /** Returns the users whose time of grace has ended. */
  async due(now: Instant): Promise<UserNumber[]> {
    const rows = await this.#driver.all<{ id: UserNumber }>('SELECT id FROM users WHERE erase_at <= $1', [now])
    return rows.map(({ id }) => id)
  }

  /** Erases a user with all their data if the time of grace has ended and nobody has reactivated them meanwhile. */
  erase(user: UserNumber, now: Instant): Promise<boolean> {
    return deletingUsers(this.#driver, async (sql, remove) => {
      // The counter is locked first, as by every write of records.
      await sql.all(`SELECT user_id FROM counters WHERE user_id = $1${sql.dialect.locking('FOR UPDATE')}`, [user])
      const [due] = await sql.all(
        `SELECT id FROM users WHERE id = $1 AND erase_at <= $2${sql.dialect.locking('FOR UPDATE')}`,
        [user, now],
      )
      if (!due) return false
      await remove(user)
      return true
    })
  }

  /** Removes what is left of deleted users, where it was cut off. */
  removeDeleted(onFailure: (user: UserNumber, error: unknown) => void): Promise<void> {
    return removeDeleted(this.#driver, onFailure)
  }

  /** True if a user has no key yet. */
  async isInvited(user: UserNumber): Promise<boolean> {
    const [found] = await this.#driver.all<{ has_key: number }>(
      `SELECT ${HAS_KEY} AS has_key FROM users WHERE id = $1`,
      [user],
    )
    return found?.has_key === 0
  }
}

function accountOf(stored: StoredUserAccount, stored_bytes: number): UserAccountRow {
  const { deactivated_at, has_key, second_factor, email_confirmed_at, ...account } = stored
  const state = stateOf(deactivated_at, account.erase_at, has_key)
  const email_confirmed = email_confirmed_at !== null
  return { ...account, email_confirmed, stored_bytes, second_factor: second_factor === 1, state }
}

function stateOf(deactivatedAt: Instant | null, eraseAt: Instant | null, hasKey: number): UserAccountState {
  if (eraseAt !== null) return 'erasing'
  if (deactivatedAt !== null) return 'deactivated'
  return hasKey === 0 ? 'invited' : 'active'
}
