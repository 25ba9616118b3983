import type { Instant, MailDelivery, UserAccountRow, UserAccountState, UserNumber, UserRole } from '@saldo/core'
import type { SqlDriver, SqlReader, SqlWriter } from '../sql.ts'
import { deleteUser, endSessionsAndLinks, isLastAdmin, revokeAccess } from './user-rows.ts'
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
}

/** A new link of a user, in place of an earlier one of the same purpose. `email` is the address to confirm. */
export type NewStoredLink = { hash: string; expiresAt: Instant } & (
  | { purpose: 'password' }
  | { purpose: 'email'; email: string }
)

/** A link that sets a password. */
export interface StoredLink {
  user: UserNumber
  email: string
  name: string
  /** True if the user has no key yet: the link is an invitation. */
  isInvited: boolean
  expiresAt: Instant
}

export type EmailChangeOutcome =
  | { outcome: 'changed'; user: UserNumber; before: string; email: string }
  | { outcome: 'wrong_link' | 'email_taken' }

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
 * `changed` has what was stored before. `last_admin`: nobody would be left who can manage accounts (D19.2);
 * `deactivated`: the address of such an account stays.
 */
export type UserAccountEditOutcome =
  | { outcome: 'changed'; before: StoredUser }
  | { outcome: 'not_found' | 'last_admin' | 'email_taken' | 'deactivated' }

/** The fields of a user that `UserAccountEdit` changes. */
export interface StoredUser {
  name: string
  email: string
  role: UserRole
  deactivated_at: Instant | null
  erase_at: Instant | null
}

interface StoredUserAccount extends Omit<UserAccountRow, 'state' | 'user_id' | 'stored_bytes' | 'second_factor'> {
  user_id: UserNumber
  deactivated_at: Instant | null
  has_key: number
  second_factor: number
}

interface StoredSummary extends Omit<UserAccountSummary, 'state' | 'hasPassword' | 'hasSecondFactor'> {
  deactivated_at: Instant | null
  erase_at: Instant | null
  has_key: number
  has_password: number
  second_factor: number
}

/** 1 if a user can sign in by any key. */
const HAS_KEY = `CASE WHEN password_hash IS NULL AND NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = users.id)
  AND NOT EXISTS (SELECT 1 FROM oidc_identities WHERE user_id = users.id) THEN 0 ELSE 1 END`
/** 1 if a user has confirmed a second factor. */
const HAS_FACTOR = `CASE WHEN EXISTS (SELECT 1 FROM second_factors
  WHERE second_factors.user_id = users.id AND confirmed_at IS NOT NULL) THEN 1 ELSE 0 END`

/** Accounts as admins manage them, and the links that set a password. Nothing here reads a record. */
export class UserAccountStore {
  readonly #driver: SqlDriver

  constructor(driver: SqlDriver) {
    this.#driver = driver
  }

  /** Returns all accounts in the order of their addresses, by one statement. */
  async summaries(): Promise<UserAccountSummary[]> {
    const rows = await this.#driver.all<StoredSummary>(
      `SELECT id, email, name, role, deactivated_at, erase_at, last_active_at AS "lastActiveAt", ${HAS_KEY} AS has_key,
         CASE WHEN password_hash IS NULL THEN 0 ELSE 1 END AS has_password, ${HAS_FACTOR} AS second_factor
       FROM users ORDER BY email`,
    )
    return rows.map(({ deactivated_at, erase_at, has_key, has_password, second_factor, ...row }) => ({
      ...row,
      state: stateOf(deactivated_at, erase_at, has_key),
      hasPassword: has_password === 1,
      hasSecondFactor: second_factor === 1,
    }))
  }

  /** Returns the accounts with these ids, in their order. */
  async rows(ids: readonly UserNumber[], { now, begunSince }: SessionLimits): Promise<UserAccountRow[]> {
    return this.#driver.read(async (sql) => {
      const rows = await sql.all<StoredUserAccount>(
        `SELECT users.id AS user_id, email, name, role, created_at, last_active_at, deactivated_at, erase_at,
           (SELECT COUNT(*) FROM sessions
            WHERE user_id = users.id AND expires_at > $2 AND created_at >= $3) AS sessions,
           (SELECT mail FROM account_links
            WHERE user_id = users.id AND purpose = 'password' AND expires_at > $2) AS link_mail,
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
      const placeById = new Map(ids.map((id, index) => [id, index]))
      const place = ({ user_id }: UserAccountRow) => placeById.get(user_id as UserNumber) ?? 0
      return accounts.toSorted((a, b) => place(a) - place(b))
    })
  }

  /**
   * Changes an account, all of it or nothing. Whoever is deactivated loses their sessions and links; data and keys
   * stay, are refused meanwhile, and work again with the account (D19.9). A new address revokes the links that went to
   * the old one.
   */
  change(user: UserNumber, change: UserAccountEdit, at: Instant): Promise<UserAccountEditOutcome> {
    const { name, email, role, active, eraseAt = null } = change
    return this.#withAddress(user, email, async (sql, isTaken): Promise<UserAccountEditOutcome> => {
      if ((active === false || role === 'user') && (await isLastAdmin(sql, user))) return { outcome: 'last_admin' }
      const [before] = await sql.all<StoredUser>(
        `SELECT name, email, role, deactivated_at, erase_at FROM users WHERE id = $1${sql.dialect.forUpdate}`,
        [user],
      )
      if (!before) return { outcome: 'not_found' }
      const after: StoredUser = { ...before, name: name ?? before.name, email: email ?? before.email }
      after.role = role ?? before.role
      if (active !== undefined) {
        after.deactivated_at = active ? null : (before.deactivated_at ?? at)
        after.erase_at = active ? null : eraseAt
      }
      const isMoved = after.email !== before.email
      if (isMoved && after.deactivated_at !== null) return { outcome: 'deactivated' }
      if (isMoved && (await isTaken(sql))) return { outcome: 'email_taken' }
      await sql.run(
        'UPDATE users SET name = $2, email = $3, role = $4, deactivated_at = $5, erase_at = $6 WHERE id = $1',
        [user, after.name, after.email, after.role, after.deactivated_at, after.erase_at],
      )
      if (isMoved) await sql.run('DELETE FROM account_links WHERE user_id = $1', [user])
      if (active === false) await endSessionsAndLinks(sql, user)
      return { outcome: 'changed', before }
    })
  }

  /**
   * Removes a user who has not accepted an invitation: nobody has signed in, and nothing is recorded. False for anybody
   * else.
   */
  withdraw(user: UserNumber): Promise<boolean> {
    return this.#driver.write(async (sql) => {
      // The counter is locked first, as by every write of records.
      await sql.all(`SELECT user_id FROM counters WHERE user_id = $1${sql.dialect.forUpdate}`, [user])
      const [invited] = await sql.all(
        `SELECT id FROM users WHERE id = $1 AND password_hash IS NULL AND last_active_at IS NULL
           AND NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = users.id)
           AND NOT EXISTS (SELECT 1 FROM oidc_identities WHERE user_id = users.id)
           AND NOT EXISTS (SELECT 1 FROM tokens WHERE user_id = users.id)
           AND NOT EXISTS (SELECT 1 FROM counters WHERE user_id = $1 AND version > 0)${sql.dialect.forUpdate}`,
        [user],
      )
      if (invited) await deleteUser(sql, user)
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
    return this.#driver.write(async (sql) => {
      // The counter is locked first, as by every write of records.
      await sql.all(`SELECT user_id FROM counters WHERE user_id = $1${sql.dialect.forUpdate}`, [user])
      const [due] = await sql.all(`SELECT id FROM users WHERE id = $1 AND erase_at <= $2${sql.dialect.forUpdate}`, [
        user,
        now,
      ])
      if (!due) return false
      await deleteUser(sql, user)
      return true
    })
  }

  /** Stores the link of an active user in place of an earlier one; false if there is no such user. */
  async putLink(user: UserNumber, link: NewStoredLink): Promise<boolean> {
    const email = link.purpose === 'email' ? link.email : null
    const stored = await this.#driver.run(
      `INSERT INTO account_links (user_id, purpose, hash, expires_at, email)
       SELECT id, $2, $3, $4, $5 FROM users WHERE id = $1 AND deactivated_at IS NULL
       ON CONFLICT (user_id, purpose) DO UPDATE
         SET hash = excluded.hash, expires_at = excluded.expires_at, email = excluded.email, mail = NULL`,
      [user, link.purpose, link.hash, link.expiresAt, email],
    )
    return stored > 0
  }

  /** Notes whether the mail with a link was sent, unless another link has replaced it. */
  async noteMail(hash: string, mail: MailDelivery): Promise<void> {
    await this.#driver.run('UPDATE account_links SET mail = $2 WHERE hash = $1', [hash, mail])
  }

  /** Finds a link that sets a password by the hash of its secret, expired or not. */
  async linkByHash(hash: string): Promise<StoredLink | undefined> {
    const [found] = await this.#driver.all<Omit<StoredLink, 'isInvited'> & { has_key: number }>(
      `SELECT users.id AS "user", users.email, name, expires_at AS "expiresAt", ${HAS_KEY} AS has_key
       FROM account_links JOIN users ON users.id = account_links.user_id
       WHERE hash = $1 AND purpose = 'password'`,
      [hash],
    )
    if (!found) return undefined
    const { has_key, ...link } = found
    return { ...link, isInvited: has_key === 0 }
  }

  /** True if a user has no key yet. */
  async isInvited(user: UserNumber): Promise<boolean> {
    const [found] = await this.#driver.all<{ has_key: number }>(
      `SELECT ${HAS_KEY} AS has_key FROM users WHERE id = $1`,
      [user],
    )
    return found?.has_key === 0
  }

  /**
   * Uses up a link: sets the password of its user, ends their sessions, and revokes their keys and links.
   * Returns the user; `undefined` if the link has expired or is used already.
   */
  useLink(hash: string, passwordHash: string, now: Instant): Promise<UserNumber | undefined> {
    return this.#driver.write(async (sql) => {
      const [used] = await sql.all<{ user: UserNumber }>(
        `DELETE FROM account_links WHERE hash = $1 AND purpose = 'password' AND expires_at > $2
         RETURNING user_id AS "user"`,
        [hash, now],
      )
      if (!used) return undefined
      await sql.run('UPDATE users SET password_hash = $2 WHERE id = $1', [used.user, passwordHash])
      await revokeAccess(sql, used.user)
      return used.user
    })
  }

  /** Changes the address of a user by the link that confirms it, and revokes their other links. */
  async useEmailLink(hash: string, now: Instant): Promise<EmailChangeOutcome> {
    const [link] = await this.#driver.all<{ user: UserNumber; email: string }>(
      `SELECT user_id AS "user", email FROM account_links WHERE hash = $1 AND purpose = 'email' AND expires_at > $2`,
      [hash, now],
    )
    if (!link) return { outcome: 'wrong_link' }
    return this.changeEmail(link.user, link.email, hash)
  }

  /**
   * Changes the address of a user, and revokes their links, which went to the old one. With the hash of a link, only if
   * the link still exists.
   */
  changeEmail(user: UserNumber, email: string, hash?: string): Promise<EmailChangeOutcome> {
    return this.#withAddress(user, email, async (sql, isTaken): Promise<EmailChangeOutcome> => {
      const [found] = await sql.all<{ email: string }>(
        `SELECT email FROM users WHERE id = $1 AND deactivated_at IS NULL${sql.dialect.forUpdate}`,
        [user],
      )
      const links = hash === undefined ? [] : await sql.all('SELECT user_id FROM account_links WHERE hash = $1', [hash])
      if (!found || (hash !== undefined && links.length === 0)) return { outcome: 'wrong_link' }
      if (await isTaken(sql)) return { outcome: 'email_taken' }
      await sql.run('UPDATE users SET email = $2 WHERE id = $1', [user, email])
      await sql.run('DELETE FROM account_links WHERE user_id = $1', [user])
      return { outcome: 'changed', user, before: found.email, email }
    })
  }

  /** Writes what may give a user an address, which the work asks about last. */
  async #withAddress<T>(
    user: UserNumber,
    email: string | undefined,
    work: (sql: SqlWriter, isTaken: (sql: Pick<SqlReader, 'all'>) => Promise<boolean>) => Promise<T>,
  ): Promise<T | { outcome: 'email_taken' }> {
    const isTaken = async (sql: Pick<SqlReader, 'all'>) =>
      email !== undefined &&
      (await sql.all('SELECT id FROM users WHERE email = $1 AND id <> $2', [email, user])).length > 0
    try {
      return await this.#driver.write((sql) => work(sql, isTaken))
    } catch (error) {
      // Two users who take one address at once: the unique index refuses the second.
      if (await isTaken(this.#driver)) return { outcome: 'email_taken' }
      throw error
    }
  }
}

function accountOf(stored: StoredUserAccount, stored_bytes: number): UserAccountRow {
  const { deactivated_at, has_key, second_factor, ...account } = stored
  const state = stateOf(deactivated_at, account.erase_at, has_key)
  return { ...account, stored_bytes, second_factor: second_factor === 1, state }
}

function stateOf(deactivatedAt: Instant | null, eraseAt: Instant | null, hasKey: number): UserAccountState {
  if (eraseAt !== null) return 'erasing'
  if (deactivatedAt !== null) return 'deactivated'
  return hasKey === 0 ? 'invited' : 'active'
}
