import { hash, timingSafeEqual } from 'node:crypto'
import {
  defaultPreferences,
  type Instant,
  itemAt,
  type LocalDate,
  type MemberRules,
  type Preferences,
  type Profile,
  type SessionRow,
  type TokenRow,
  type TokenScope,
  type UserAccountPatch,
  type UserNumber,
  type UserRole,
} from '@saldo/core'
import { readColumn } from '../json-columns.ts'
import type { SqlDriver, SqlReader, SqlWriter } from '../sql.ts'
import { UnknownUserError } from '../store.ts'
import { keepFormerNames } from '../team/former-names.ts'
import { restRoles } from '../team/resting-roles.ts'
import { inTransaction, TeamStore } from '../team/team-store.ts'
import { deletingUsers, isLastAdmin, NO_SESSION, revokeKeys, revokeLinks, type SecretKey } from './user-rows.ts'

export interface User extends Profile {
  id: UserNumber
  email: string
  /** Null until somebody has shown or vouched that the address is theirs (D8.40). */
  email_confirmed_at: Instant | null
  role: UserRole
  created_at: Instant
  /** Null for an active user. */
  deactivated_at: Instant | null
  /** Null until the user has chosen some. */
  preferences: Preferences | null
}

/** True if a membership of a user lasts on a date, or begins later (D31.4). */
export function isMember(rules: MemberRules | null, date: LocalDate): boolean {
  return rules?.dates.some(({ to }) => to >= date) ?? false
}

interface StoredToken {
  user: UserNumber
  id: string
  scope: TokenScope
  lastUsedAt: Instant | null
}

type StoredUser = Omit<User, 'preferences'> & { preferences: string | null }

interface StoredSession {
  user: UserNumber
  id: number
  createdAt: Instant
  expiresAt: Instant
}

export interface NewSession {
  at: Instant
  expiresAt: Instant
  userAgent: string | null
  /** The address where the session of an OpenID provider is ended, if it began there. */
  providerSignOutUrl?: string | undefined
}

/** The most sessions of a user: more than people have, and few enough to list. */
export const MAX_SESSIONS = 500

/** A session or a token of a user. */
export interface KeyOfUser {
  user: UserNumber
  /** A number for a session. */
  id: number | string
}

/** A session is valid if it expires after `now` and began at `begunSince` or later. */
export interface SessionLimits {
  now: Instant
  begunSince: Instant
}

export interface NewUser {
  email: string
  /** True if the operator, an admin or a provider gave the address; so did whoever has the set-up code. */
  isConfirmed?: boolean | undefined
  name?: string | undefined
  /** Null for an invited user, who sets a password by a link. */
  passwordHash: string | null
  /** By default, the first user is an admin and the others are not. */
  role?: UserRole
  at: Instant
  /** The set-up code that the first user gives; the command line needs none. */
  setupCode?: string | undefined
}

export interface PasswordChange {
  /** The hash that must be in force. */
  replaced?: string | null
  keepTokens: boolean
  /** A session that stays. */
  keptSession?: number
  /** Given if somebody else than the user changes it: the roles of the user rest (D24.9). */
  restsRolesAt?: Instant
}

export type AddUserOutcome = { outcome: 'added'; user: UserNumber } | { outcome: 'email_taken' | 'wrong_setup_code' }

const SETUP_CODE = 'setup_code'

const USER_COLUMNS =
  'id, email, email_confirmed_at, role, created_at, deactivated_at, name, personnel_number, employer, preferences'
/** A condition of queries that find a user by what they sign in with. */
const IS_ACTIVE = 'EXISTS (SELECT 1 FROM users WHERE users.id = user_id AND deactivated_at IS NULL)'

/** The number under which the migration keeps the records of a database from before users (D8.22). */
const FIRST_USER = 1

export class UserStore {
  readonly #driver: SqlDriver
  readonly #freshNumber: () => UserNumber

  /** `freshNumber` returns a random number that no user of any service has: devices identify their user by it. */
  constructor(driver: SqlDriver, freshNumber: () => UserNumber) {
    this.#driver = driver
    this.#freshNumber = freshNumber
  }

  /**
   * Adds a user. With a set-up code, only if it is right and there is no user yet. The first user is an admin (D19.1),
   * and takes over the records of a database from before users (D8.22).
   */
  add({ setupCode, ...user }: NewUser): Promise<AddUserOutcome> {
    return this.#driver.write(async (sql): Promise<AddUserOutcome> => {
      // Locked, so that of several who give it at once one signs up.
      if (setupCode !== undefined && !areSame(await readSetupCode(sql, sql.dialect.locking('FOR UPDATE')), setupCode)) {
        return { outcome: 'wrong_setup_code' }
      }
      const added = await this.insert(sql, setupCode === undefined ? user : { ...user, isConfirmed: true })
      return added === undefined ? { outcome: 'email_taken' } : { outcome: 'added', user: added }
    })
  }

  /** Adds a user in a transaction, as `add` does without a set-up code; `undefined` if the address is taken. */
  async insert(
    sql: SqlWriter,
    { email, isConfirmed = false, name = '', passwordHash, role, at }: Omit<NewUser, 'setupCode'>,
  ): Promise<UserNumber | undefined> {
    const ownRole = role ?? ((await hasAny(sql)) ? 'user' : 'admin')
    const [added] = await sql.all<{ id: UserNumber }>(
      `INSERT INTO users (id, email, name, password_hash, role, created_at, email_confirmed_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (email) DO NOTHING RETURNING id`,
      [
        (await leftUser(sql)) ?? this.#freshNumber(),
        ...[email, name, passwordHash, ownRole, at],
        isConfirmed ? at : null,
      ],
    )
    if (!added) return undefined
    await sql.run(
      `INSERT INTO counters (user_id, version, logged_at, digests, stored_bytes) VALUES ($1, 0, 0, '{}', 0)
       ON CONFLICT (user_id) DO NOTHING`,
      [added.id],
    )
    await sql.run('DELETE FROM service_state WHERE name = $1', [SETUP_CODE])
    return added.id
  }

  /** Returns the set-up code, `fresh` if there is none yet; `undefined` once there is a user. */
  setupCode(fresh: string): Promise<string | undefined> {
    return this.#driver.write(async (sql) => {
      if (await hasAny(sql)) return undefined
      await sql.run('INSERT INTO service_state (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [
        SETUP_CODE,
        fresh,
      ])
      return readSetupCode(sql)
    })
  }

  hasAny(): Promise<boolean> {
    return hasAny(this.#driver)
  }

  async list(): Promise<User[]> {
    return (await this.#driver.all<StoredUser>(`SELECT ${USER_COLUMNS} FROM users ORDER BY created_at, id`)).map(userOf)
  }

  async byId(user: UserNumber): Promise<User | undefined> {
    const [found] = await this.#driver.all<StoredUser>(`SELECT ${USER_COLUMNS} FROM users WHERE id = $1`, [user])
    return found && userOf(found)
  }

  async byEmail(email: string): Promise<User | undefined> {
    const [found] = await this.#driver.all<StoredUser>(`SELECT ${USER_COLUMNS} FROM users WHERE email = $1`, [email])
    return found && userOf(found)
  }

  /** Replaces the fields of a user's profile and the preferences that the patch has. */
  changeProfile(
    user: UserNumber,
    { name, personnel_number, employer, preferences }: UserAccountPatch,
    at: Instant,
  ): Promise<void> {
    return this.#driver.write(async (sql) => {
      if (name !== undefined) await keepFormerNames(sql, user, at)
      await sql.run(
        `UPDATE users SET name = COALESCE($2, name), personnel_number = COALESCE($3, personnel_number),
           employer = COALESCE($4, employer) WHERE id = $1`,
        [user, name ?? null, personnel_number ?? null, employer ?? null],
      )
      if (!preferences) return
      const [stored] = await sql.all<StoredUser>(`SELECT ${USER_COLUMNS} FROM users WHERE id = $1`, [user])
      const before = stored && userOf(stored).preferences
      const after = JSON.stringify({ ...defaultPreferences, ...before, ...preferences })
      await sql.run('UPDATE users SET preferences = $2 WHERE id = $1', [user, after])
    })
  }

  passwordHash(user: UserNumber): Promise<string | undefined> {
    return readPasswordHash(this.#driver, user)
  }

  /** True if a hash is still that of a user's password. Waits for a change of the password that is in progress. */
  isPasswordInForce(user: UserNumber, hash: string | undefined): Promise<boolean> {
    return this.#driver.write(
      async (sql) => (await readPasswordHash(sql, user, sql.dialect.locking('FOR UPDATE'))) === hash,
    )
  }

  /**
   * Sets the hash of a user's password, ends all sessions but `keptSession`, and revokes links that set a password;
   * all tokens, calendar feeds and webhooks too unless `keepTokens` is set. Returns false if `replaced` is given and is
   * not the hash in force.
   */
  setPassword(
    user: UserNumber,
    { hash, replaced = null, keepTokens, keptSession = NO_SESSION, restsRolesAt }: PasswordChange & { hash: string },
  ): Promise<boolean> {
    return this.#driver.write(async (sql) => {
      const changed = await sql.run(
        `UPDATE users SET password_hash = $2
         WHERE id = $1 AND (CAST($3 AS TEXT) IS NULL OR password_hash = CAST($3 AS TEXT))`,
        [user, hash, replaced],
      )
      if (changed === 0) return false
      await sql.run('DELETE FROM sessions WHERE user_id = $1 AND id <> $2', [user, keptSession])
      await revokeLinks(sql, user)
      if (!keepTokens) await revokeKeys(sql, user)
      if (restsRolesAt !== undefined) await restRoles(sql, user, restsRolesAt)
      return true
    })
  }

  /**
   * Deletes a user with all their data. Keeps all if their version is not `version`, if a membership of theirs lasts on
   * the date `today` (D31.4), if they count as HR then (D24.20), or if other users would be left without an admin
   * (D19.2).
   */
  remove(
    user: UserNumber,
    version: number,
    today: LocalDate,
  ): Promise<'removed' | 'changed_since' | 'member' | 'hr' | 'last_admin'> {
    return deletingUsers(this.#driver, async (sql, remove) => {
      const [current] = await sql.all<{ version: number; memberRules: string | null }>(
        `SELECT version, member_rules AS "memberRules" FROM counters
         WHERE user_id = $1${sql.dialect.locking('FOR UPDATE')}`,
        [user],
      )
      // They may have accepted a membership while the proof was checked.
      const rules = current?.memberRules == null ? null : readColumn('memberRules', current.memberRules)
      if (isMember(rules, today)) return 'member'
      if (await new TeamStore(inTransaction(sql)).countsAsHr(user, today)) return 'hr'
      if (current?.version !== version) return 'changed_since'
      const [another] = await sql.all('SELECT id FROM users WHERE id > $1 OR id < $1 LIMIT 1', [user])
      if (another && (await isLastAdmin(sql, user))) return 'last_admin'
      await remove(user)
      return 'removed'
    })
  }

  /** Deletes all other users with all their data, and gives an address to the one who stays, in one transaction. */
  keepOnly(user: UserNumber, email: string): Promise<void> {
    return deletingUsers(this.#driver, async (sql, remove) => {
      const others = await sql.all<{ id: UserNumber }>('SELECT id FROM users WHERE id > $1 OR id < $1', [user])
      for (const { id } of others) await remove(id)
      await sql.run('UPDATE users SET email = $2 WHERE id = $1', [user, email])
    })
  }

  /**
   * Adds a session, and ends those used least recently of a user who has `MAX_SESSIONS`. Throws `UnknownUserError` if
   * the user was deleted or deactivated meanwhile.
   */
  addSession({ user, hash }: SecretKey, session: NewSession): Promise<number> {
    const { at, expiresAt, userAgent, providerSignOutUrl = null } = session
    return this.#driver.write(async (sql) => {
      // The user's row is locked first, so that deactivating finds every session or prevents it.
      const active = await sql.run('UPDATE users SET last_active_at = $2 WHERE id = $1 AND deactivated_at IS NULL', [
        user,
        at,
      ])
      if (active === 0) throw new UnknownUserError()
      await sql.run(
        `DELETE FROM sessions WHERE user_id = $1 AND id NOT IN (
           SELECT id FROM sessions WHERE user_id = $1 ORDER BY expires_at DESC, id DESC LIMIT ${MAX_SESSIONS - 1})`,
        [user],
      )
      const rows = await sql.all<{ id: number }>(
        `INSERT INTO sessions (user_id, hash, created_at, expires_at, user_agent, provider_sign_out_url)
         VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
        [user, hash, at, expiresAt, userAgent, providerSignOutUrl],
      )
      return itemAt(rows, 0).id
    })
  }

  /** Finds a session of an active user by its secret, expired or not. */
  async findSession({ user, hash }: SecretKey): Promise<StoredSession | undefined> {
    const [found] = await this.#driver.all<StoredSession>(
      `SELECT user_id AS "user", id, created_at AS "createdAt", expires_at AS "expiresAt"
       FROM sessions WHERE user_id = $1 AND hash = $2 AND ${IS_ACTIVE}`,
      [user, hash],
    )
    return found
  }

  /** Extends a session that is used. */
  extendSession(user: UserNumber, id: number, { at, expiresAt }: { at: Instant; expiresAt: Instant }): Promise<void> {
    return this.#driver.write(async (sql) => {
      await sql.run('UPDATE sessions SET expires_at = $3 WHERE user_id = $1 AND id = $2', [user, id, expiresAt])
      await noteActivity(sql, user, at)
    })
  }

  /** Returns the user's valid sessions, the newest first. */
  sessions(user: UserNumber, { now, begunSince }: SessionLimits): Promise<Omit<SessionRow, 'current'>[]> {
    return this.#driver.all(
      `SELECT id, created_at, expires_at, user_agent FROM sessions
       WHERE user_id = $1 AND expires_at > $2 AND created_at >= $3 ORDER BY id DESC`,
      [user, now, begunSince],
    )
  }

  /** Ends a session; false if the user has no session with that id. */
  async endSession(user: UserNumber, id: number): Promise<boolean> {
    return (await this.#driver.run('DELETE FROM sessions WHERE user_id = $1 AND id = $2', [user, id])) > 0
  }

  /** Returns the address where the provider's session is ended, if it began a session of Saldo. */
  async providerSignOutUrl(user: UserNumber, id: number): Promise<string | undefined> {
    const [found] = await this.#driver.all<{ url: string | null }>(
      'SELECT provider_sign_out_url AS url FROM sessions WHERE user_id = $1 AND id = $2',
      [user, id],
    )
    return found?.url ?? undefined
  }

  /** Ends all sessions of a user but one; all of them without one. False if there is none to end. */
  async endOtherSessions(user: UserNumber, kept = NO_SESSION): Promise<boolean> {
    return (await this.#driver.run('DELETE FROM sessions WHERE user_id = $1 AND id <> $2', [user, kept])) > 0
  }

  /** Removes the user's sessions that are no longer valid. */
  async removeEndedSessions(user: UserNumber, { now, begunSince }: SessionLimits): Promise<void> {
    await this.#driver.run('DELETE FROM sessions WHERE user_id = $1 AND (expires_at <= $2 OR created_at < $3)', [
      user,
      now,
      begunSince,
    ])
  }

  async addToken({ user, hash }: SecretKey, token: Omit<TokenRow, 'last_used_at'>): Promise<void> {
    const { id, name, scope, created_at, expires_at } = token
    await this.#driver.run(
      `INSERT INTO tokens (user_id, id, name, hash, scope, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [user, id, name, hash, scope, created_at, expires_at],
    )
  }

  /** Returns the user's tokens, expired ones too, the newest first. */
  tokens(user: UserNumber): Promise<TokenRow[]> {
    return this.#driver.all(
      `SELECT id, name, scope, created_at, last_used_at, expires_at FROM tokens
       WHERE user_id = $1 ORDER BY created_at DESC, id`,
      [user],
    )
  }

  /** Revokes a token; false if the user has no token with that id. */
  async revokeToken(user: UserNumber, id: string): Promise<boolean> {
    return (await this.#driver.run('DELETE FROM tokens WHERE user_id = $1 AND id = $2', [user, id])) > 0
  }

  /** Returns the ids of those of these sessions and tokens that have neither been ended, revoked, nor expired. */
  async validIds(keys: readonly KeyOfUser[], { now, begunSince }: SessionLimits): Promise<KeyOfUser['id'][]> {
    const { isOneOf, eachOf } = this.#driver.dialect
    const ofUsers = `${IS_ACTIVE} AND ${isOneOf('user_id', '$1')}`
    const sessions = keys.filter(({ id }) => typeof id === 'number')
    const tokens = keys.filter(({ id }) => typeof id === 'string')
    const rows = await this.#driver.all<{ session: number | null; token: string | null }>(
      `SELECT id AS session, NULL AS token FROM sessions
       WHERE ${ofUsers} AND ${isOneOf('id', '$4')} AND expires_at > $2 AND created_at >= $3
       UNION ALL
       SELECT NULL, id FROM tokens
       WHERE ${ofUsers} AND id IN (SELECT item FROM ${eachOf('$5')}) AND (expires_at IS NULL OR expires_at > $2)`,
      [
        [...new Set(keys.map(({ user }) => String(user)))],
        now,
        begunSince,
        sessions.map(({ id }) => String(id)),
        tokens.map(({ id }) => String(id)),
      ],
    )
    return rows.flatMap(({ session, token }) => session ?? token ?? [])
  }

  /** Finds a token of an active user by its secret, unless it has expired. */
  async findToken({ user, hash }: SecretKey, now: Instant): Promise<StoredToken | undefined> {
    const [found] = await this.#driver.all<StoredToken>(
      `SELECT user_id AS "user", id, scope, last_used_at AS "lastUsedAt" FROM tokens
       WHERE user_id = $1 AND hash = $2 AND (expires_at IS NULL OR expires_at > $3) AND ${IS_ACTIVE}`,
      [user, hash, now],
    )
    return found
  }

  noteUse(user: UserNumber, tokenId: string, at: Instant): Promise<void> {
    return this.#driver.write(async (sql) => {
      await sql.run('UPDATE tokens SET last_used_at = $3 WHERE user_id = $1 AND id = $2', [user, tokenId, at])
      await noteActivity(sql, user, at)
    })
  }
}

function userOf({ preferences, ...user }: StoredUser): User {
  return { ...user, preferences: preferences === null ? null : readColumn('preferences', preferences) }
}

async function noteActivity(sql: SqlWriter, user: UserNumber, at: Instant): Promise<void> {
  await sql.run('UPDATE users SET last_active_at = $2 WHERE id = $1', [user, at])
}

/** Compares two secrets in constant time. */
function areSame(secret: string | undefined, given: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer')
  return secret !== undefined && timingSafeEqual(digest(secret), digest(given))
}

async function readPasswordHash(sql: Pick<SqlReader, 'all'>, user: UserNumber, lock = ''): Promise<string | undefined> {
  const [found] = await sql.all<{ hash: string | null }>(
    `SELECT password_hash AS hash FROM users WHERE id = $1${lock}`,
    [user],
  )
  return found?.hash ?? undefined
}

async function hasAny(sql: Pick<SqlReader, 'all'>): Promise<boolean> {
  return (await sql.all('SELECT id FROM users LIMIT 1')).length > 0
}

async function readSetupCode(sql: SqlReader, lock = ''): Promise<string | undefined> {
  const [row] = await sql.all<{ value: string }>(`SELECT value FROM service_state WHERE name = $1${lock}`, [SETUP_CODE])
  return row?.value
}

/** Returns the owner of the records of a database from before users, until the first user has signed up. */
async function leftUser(sql: SqlReader): Promise<UserNumber | undefined> {
  const [left] = await sql.all<{ user: UserNumber }>(
    `SELECT user_id AS "user" FROM counters
     WHERE user_id = $1 AND NOT EXISTS (SELECT 1 FROM users WHERE id = $1)`,
    [FIRST_USER],
  )
  return left?.user
}
