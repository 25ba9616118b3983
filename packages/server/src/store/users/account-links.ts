import type { Instant, MailDelivery, UserNumber, UserRole } from '@saldo/core'
import type { SqlDriver, SqlReader, SqlWriter } from '../sql.ts'
import { keepFormerNames } from '../team/former-names.ts'
import { restRoles } from '../team/resting-roles.ts'
import { endUnprovenTies } from '../team/unproven-ties.ts'
import { endEarlierKeys, HAS_KEY, revokeAccess, type SecretKey, withAddress } from './user-rows.ts'

/** Checks in the transaction of a link that its maker still may make it, and throws otherwise. */
export type LinkPermit = (sql: SqlReader) => Promise<void>

/** A new link of a user. */
export interface NewStoredLink {
  purpose: 'password' | 'email'
  expiresAt: Instant
  /** The address to which the link is mailed, and that using it confirms; without one, somebody passes it on. */
  email?: string | undefined
  /** The address that the account must have still: another one has revoked what goes to it (D19.16). */
  ofAddress?: string | undefined
}

/** A link that sets a password. */
export interface StoredLink {
  user: UserNumber
  email: string
  /** Empty while the address is not confirmed: a stranger may have written it (D19.30). */
  name: string
  /** True if the user has no key yet: the link is an invitation. */
  isInvited: boolean
  expiresAt: Instant
}

/** `changed`: `before` is the address before, `isConfirmed` is true if that one was confirmed. */
export type EmailChangeOutcome =
  | { outcome: 'changed'; user: UserNumber; before: string; isConfirmed: boolean; email: string }
  | { outcome: 'wrong_link' | 'email_taken' }

/** A link that set a password; `isFirstProof` if it confirmed the address of the account, and ended all keys. */
export interface UsedLink {
  user: UserNumber
  isFirstProof: boolean
}

/** The links of accounts, which set a password or confirm an address, and the addresses of accounts. */
export class AccountLinkStore {
  readonly #driver: SqlDriver

  constructor(driver: SqlDriver) {
    this.#driver = driver
  }

  /**
   * Stores the link of an active user; false if there is no such user, or no longer with that address. Earlier links of
   * the purpose end, unless `keepValidAt` is given: then those stay that are valid at that time. `permit` throws if
   * whoever makes it may not any more. `restsRolesAt` lets the roles of the user rest, as a reset by somebody else does
   * (D24.17).
   */
  putLink(
    { user, hash }: SecretKey,
    { purpose, expiresAt, email, ofAddress }: NewStoredLink,
    {
      keepValidAt,
      restsRolesAt,
      permit,
    }: { keepValidAt?: Instant; restsRolesAt?: Instant; permit?: LinkPermit | undefined } = {},
  ): Promise<boolean> {
    return this.#driver.write(async (sql) => {
      await permit?.(sql)
      const account = await lockActive(sql, user)
      if (!account || (ofAddress ?? account.email) !== account.email) return false
      await sql.run(
        `DELETE FROM account_links WHERE user_id = $1 AND purpose = $2
           AND (CAST($3 AS TEXT) IS NULL OR expires_at <= CAST($3 AS TEXT))`,
        [user, purpose, keepValidAt ?? null],
      )
      await sql.run(
        'INSERT INTO account_links (user_id, purpose, hash, expires_at, email) VALUES ($1, $2, $3, $4, $5)',
        [user, purpose, hash, expiresAt, email ?? null],
      )
      if (restsRolesAt !== undefined) await restRoles(sql, user, restsRolesAt)
      return true
    })
  }

  /**
   * Notes whether the mail with a link was sent, unless another link has replaced it. A link that was not sent confirms
   * no address: somebody passes it on.
   */
  async noteMail({ user, hash }: SecretKey, mail: MailDelivery): Promise<void> {
    await this.#driver.run(
      `UPDATE account_links SET mail = $3, email = CASE WHEN CAST($3 AS TEXT) = 'failed' THEN NULL ELSE email END
       WHERE user_id = $1 AND hash = $2`,
      [user, hash, mail],
    )
  }

  /** Finds a link that sets a password by its secret, expired or not. */
  async findLink({ user, hash }: SecretKey): Promise<StoredLink | undefined> {
    const [found] = await this.#driver.all<Omit<StoredLink, 'isInvited'> & { has_key: number }>(
      `SELECT users.id AS "user", users.email, expires_at AS "expiresAt", ${HAS_KEY} AS has_key,
         CASE WHEN email_confirmed_at IS NULL THEN '' ELSE name END AS name
       FROM account_links JOIN users ON users.id = account_links.user_id
       WHERE account_links.user_id = $1 AND hash = $2 AND purpose = 'password'`,
      [user, hash],
    )
    if (!found) return undefined
    const { has_key, ...link } = found
    return { ...link, isInvited: has_key === 0 }
  }

  /**
   * Uses up a link: sets the password of its user, ends their sessions, and revokes their keys and links. A link that
   * was mailed to an address which nobody has confirmed confirms it, and ends all that opened the account, identities
   * at providers too; the name goes, which somebody else may have written (D8.41). A link that was shown, and not only
   * mailed, lets the roles of the user rest: whoever saw it may use it (D24.17). Returns `undefined` if the link has
   * expired or is used already.
   */
  useLink({ user, hash }: SecretKey, passwordHash: string, now: Instant): Promise<UsedLink | undefined> {
    return this.#driver.write(async (sql) => {
      const [used] = await sql.all<{ email: string | null }>(
        `DELETE FROM account_links WHERE user_id = $1 AND hash = $2 AND purpose = 'password' AND expires_at > $3
         RETURNING email`,
        [user, hash, now],
      )
      if (!used) return undefined
      await sql.run('UPDATE users SET password_hash = $2 WHERE id = $1', [user, passwordHash])
      if (used.email === null) await restRoles(sql, user, now)
      const confirmed = await sql.run(
        `UPDATE users SET email_confirmed_at = $3, name = ''
         WHERE id = $1 AND email = $2 AND email_confirmed_at IS NULL`,
        [user, used.email, now],
      )
      if (confirmed === 0) {
        await revokeAccess(sql, user)
      } else {
        await endEarlierKeys(sql, user)
        await sql.run('DELETE FROM oidc_identities WHERE user_id = $1', [user])
      }
      return { user, isFirstProof: confirmed > 0 }
    })
  }

  /**
   * Confirms an address of a user by the link that was mailed to it, which becomes the one that they sign in with, and
   * revokes their other links. `session` is the one that opened the link. If the address before was not confirmed, all
   * else that opened the account ends, but for the password, or the identity of a user without one (D8.41).
   */
  async useEmailLink({ user, hash }: SecretKey, session: number, now: Instant): Promise<EmailChangeOutcome> {
    const find = `SELECT email FROM account_links
      WHERE user_id = $1 AND hash = $2 AND purpose = 'email' AND expires_at > $3`
    const [link] = await this.#driver.all<{ email: string }>(find, [user, hash, now])
    if (!link) return { outcome: 'wrong_link' }
    return withAddress(this.#driver, user, link.email, async (sql, isTaken): Promise<EmailChangeOutcome> => {
      const before = await lockActive(sql, user)
      if (!before || (await sql.all(find, [user, hash, now])).length === 0) return { outcome: 'wrong_link' }
      if (await isTaken(sql)) return { outcome: 'email_taken' }
      const changed = await setAddress(sql, before, { email: link.email, confirmedAt: now, at: now })
      if (before.email_confirmed_at !== null) return changed
      await endEarlierKeys(sql, user, session)
      await sql.run(
        `DELETE FROM oidc_identities WHERE user_id = $1
           AND EXISTS (SELECT 1 FROM users WHERE id = $1 AND password_hash IS NOT NULL)`,
        [user],
      )
      return changed
    })
  }

  /**
   * Changes the address of a user, and revokes their links, which went to the old one. The new one counts as confirmed
   * if it is that of an admin, or the confirmed one of before (D8.40).
   */
  changeEmail(user: UserNumber, email: string, at: Instant): Promise<EmailChangeOutcome> {
    return withAddress(this.#driver, user, email, async (sql, isTaken): Promise<EmailChangeOutcome> => {
      const before = await lockActive(sql, user)
      if (!before) return { outcome: 'wrong_link' }
      if (await isTaken(sql)) return { outcome: 'email_taken' }
      if (email === before.email) return setAddress(sql, before, { email, confirmedAt: before.email_confirmed_at, at })
      return setAddress(sql, before, { email, confirmedAt: before.role === 'admin' ? at : null, at })
    })
  }
}

interface Addressed {
  id: UserNumber
  email: string
  email_confirmed_at: Instant | null
  role: UserRole
}

async function lockActive(sql: SqlWriter, user: UserNumber): Promise<Addressed | undefined> {
  const [found] = await sql.all<Addressed>(
    `SELECT id, email, email_confirmed_at, role FROM users
     WHERE id = $1 AND deactivated_at IS NULL${sql.dialect.locking('FOR UPDATE')}`,
    [user],
  )
  return found
}

async function setAddress(
  sql: SqlWriter,
  before: Addressed,
  { email, confirmedAt, at }: { email: string; confirmedAt: Instant | null; at: Instant },
): Promise<EmailChangeOutcome> {
  const { id: user } = before
  if (email !== before.email) await keepFormerNames(sql, user, at)
  if (before.email_confirmed_at === null && email !== before.email) await endUnprovenTies(sql, user, at)
  await sql.run('UPDATE users SET email = $2, email_confirmed_at = $3 WHERE id = $1', [user, email, confirmedAt])
  await sql.run('DELETE FROM account_links WHERE user_id = $1', [user])
  return { outcome: 'changed', user, before: before.email, isConfirmed: before.email_confirmed_at !== null, email }
}
