import { hash, timingSafeEqual } from 'node:crypto'
import type { AccessKeyRow, Instant, Profile, ProfilePatch, SessionRow, UserNumber } from '@saldo/core'
import type { SqlDriver, SqlReader } from '../sql.ts'

export interface User extends Profile {
  id: UserNumber
  email: string
  created_at: Instant
}

interface StoredSession {
  user: UserNumber
  id: number
  createdAt: Instant
  expiresAt: Instant
}

/** A session is valid if it expires after `now` and began at `begunSince` or later. */
export interface SessionLimits {
  now: Instant
  begunSince: Instant
}

export interface NewUser {
  email: string
  passwordHash: string
  at: Instant
  /** The set-up code that the first user gives; the command line needs none. */
  setupCode?: string | undefined
}

export interface PasswordChange {
  /** The hash that must be in force. */
  replaced?: string | null
  keepTokens: boolean
}

export type AddUserOutcome = { outcome: 'added'; user: UserNumber } | { outcome: 'email_taken' | 'wrong_setup_code' }

const SETUP_CODE = 'setup_code'

const USER_COLUMNS = 'id, email, created_at, name, personnel_number, employer'

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
   * Adds a user with their password. With a set-up code, only if it is right and there is no user yet. The first user
   * takes over the records of a database from before users (D8.22).
   */
  add({ email, passwordHash, at, setupCode }: NewUser): Promise<AddUserOutcome> {
    return this.#driver.write(async (sql): Promise<AddUserOutcome> => {
      // Locked, so that of several who give it at once one signs up.
      if (setupCode !== undefined && !areSame(await readSetupCode(sql, sql.dialect.forUpdate), setupCode)) {
        return { outcome: 'wrong_setup_code' }
      }
      const [added] = await sql.all<{ id: UserNumber }>(
        `INSERT INTO users (id, email, password_hash, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (email) DO NOTHING RETURNING id`,
        [(await leftUser(sql)) ?? this.#freshNumber(), email, passwordHash, at],
      )
      if (!added) return { outcome: 'email_taken' }
      await sql.run(
        `INSERT INTO counters (user_id, version, logged_at, digests, stored_bytes) VALUES ($1, 0, 0, '{}', 0)
         ON CONFLICT (user_id) DO NOTHING`,
        [added.id],
      )
      await sql.run('DELETE FROM service_state WHERE name = $1', [SETUP_CODE])
      return { outcome: 'added', user: added.id }
    })
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

  list(): Promise<User[]> {
    return this.#driver.all<User>(`SELECT ${USER_COLUMNS} FROM users ORDER BY created_at, id`)
  }

  async byId(user: UserNumber): Promise<User | undefined> {
    const [found] = await this.#driver.all<User>(`SELECT ${USER_COLUMNS} FROM users WHERE id = $1`, [user])
    return found
  }

  async byEmail(email: string): Promise<User | undefined> {
    const [found] = await this.#driver.all<User>(`SELECT ${USER_COLUMNS} FROM users WHERE email = $1`, [email])
    return found
  }

  /** Replaces the fields of a user's profile that the patch has. */
  async changeProfile(user: UserNumber, { name, personnel_number, employer }: ProfilePatch): Promise<void> {
    await this.#driver.run(
      `UPDATE users SET name = COALESCE($2, name), personnel_number = COALESCE($3, personnel_number),
         employer = COALESCE($4, employer) WHERE id = $1`,
      [user, name ?? null, personnel_number ?? null, employer ?? null],
    )
  }

  passwordHash(user: UserNumber): Promise<string | undefined> {
    return readPasswordHash(this.#driver, user)
  }

  /** True if a hash is still that of a user's password. Waits for a change of the password that is in progress. */
  isPasswordInForce(user: UserNumber, hash: string | undefined): Promise<boolean> {
    return this.#driver.write(async (sql) => (await readPasswordHash(sql, user, sql.dialect.forUpdate)) === hash)
  }

  /**
   * Sets the hash of a user's password, ends all sessions, and revokes all tokens and calendar feeds unless
   * `keepTokens` is set. Returns false if `replaced` is given and is not the hash in force.
   */
  setPassword(
    user: UserNumber,
    { hash, replaced = null, keepTokens }: PasswordChange & { hash: string },
  ): Promise<boolean> {
    return this.#driver.write(async (sql) => {
      const changed = await sql.run(
        'UPDATE users SET password_hash = $2 WHERE id = $1 AND password_hash = COALESCE($3, password_hash)',
        [user, hash, replaced],
      )
      if (changed === 0) return false
      await sql.run('DELETE FROM sessions WHERE user_id = $1', [user])
      if (keepTokens) return true
      await sql.run('DELETE FROM tokens WHERE user_id = $1', [user])
      await sql.run('DELETE FROM calendar_feeds WHERE user_id = $1', [user])
      return true
    })
  }

  /** Deletes a user with all their data if their version is still `version`; else returns false. */
  remove(user: UserNumber, version: number): Promise<boolean> {
    return this.#driver.write(async (sql) => {
      const deleted = await sql.run('DELETE FROM counters WHERE user_id = $1 AND version = $2', [user, version])
      if (deleted === 0) return false
      for (const table of ['records', 'sync_log', 'jobs']) {
        await sql.run(`DELETE FROM ${table} WHERE user_id = $1`, [user])
      }
      // Everything else refers to the user and goes with them.
      await sql.run('DELETE FROM users WHERE id = $1', [user])
      return true
    })
  }

  addSession(
    user: UserNumber,
    session: { hash: string; at: Instant; expiresAt: Instant; userAgent: string | null },
  ): Promise<number> {
    const { hash, at, expiresAt, userAgent } = session
    return this.#driver.write(async (sql) => {
      const rows = await sql.all<{ id: number }>(
        `INSERT INTO sessions (user_id, hash, created_at, expires_at, user_agent)
         VALUES ($1, $2, $3, $4, $5) RETURNING id`,
        [user, hash, at, expiresAt, userAgent],
      )
      return (rows as [{ id: number }])[0].id
    })
  }

  /** Finds a session by the hash of its secret, expired or not. */
  async sessionByHash(hash: string): Promise<StoredSession | undefined> {
    const [found] = await this.#driver.all<StoredSession>(
      `SELECT user_id AS "user", id, created_at AS "createdAt", expires_at AS "expiresAt"
       FROM sessions WHERE hash = $1`,
      [hash],
    )
    return found
  }

  async extendSession(user: UserNumber, id: number, expiresAt: Instant): Promise<void> {
    await this.#driver.run('UPDATE sessions SET expires_at = $3 WHERE user_id = $1 AND id = $2', [user, id, expiresAt])
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

  /** Ends all sessions of a user but one; all of them without one. */
  async endOtherSessions(user: UserNumber, kept = -1): Promise<void> {
    await this.#driver.run('DELETE FROM sessions WHERE user_id = $1 AND id <> $2', [user, kept])
  }

  /** Removes the user's sessions that are no longer valid. */
  async removeEndedSessions(user: UserNumber, { now, begunSince }: SessionLimits): Promise<void> {
    await this.#driver.run('DELETE FROM sessions WHERE user_id = $1 AND (expires_at <= $2 OR created_at < $3)', [
      user,
      now,
      begunSince,
    ])
  }

  async addToken(user: UserNumber, token: { id: string; name: string; hash: string; at: Instant }): Promise<void> {
    const { id, name, hash, at } = token
    await this.#driver.run('INSERT INTO tokens (user_id, id, name, hash, created_at) VALUES ($1, $2, $3, $4, $5)', [
      user,
      id,
      name,
      hash,
      at,
    ])
  }

  /** Returns the user's tokens, the newest first. */
  tokens(user: UserNumber): Promise<AccessKeyRow[]> {
    return this.#driver.all(
      'SELECT id, name, created_at, last_used_at FROM tokens WHERE user_id = $1 ORDER BY created_at DESC, id',
      [user],
    )
  }

  /** Revokes a token; false if the user has no token with that id. */
  async revokeToken(user: UserNumber, id: string): Promise<boolean> {
    return (await this.#driver.run('DELETE FROM tokens WHERE user_id = $1 AND id = $2', [user, id])) > 0
  }

  /** Returns the ids of users' sessions and tokens that have neither been ended, revoked, nor expired. */
  validIds(users: readonly UserNumber[], { now, begunSince }: SessionLimits): Promise<(number | string)[]> {
    return this.#driver.read(async (sql) => {
      const ofUsers = `user_id IN (SELECT CAST(item AS BIGINT) FROM ${sql.dialect.eachOf('$1')})`
      const params = [users.map(String)]
      const sessions = `SELECT id FROM sessions WHERE ${ofUsers} AND expires_at > $2 AND created_at >= $3`
      const rows = [
        ...(await sql.all<{ id: number }>(sessions, [...params, now, begunSince])),
        ...(await sql.all<{ id: string }>(`SELECT id FROM tokens WHERE ${ofUsers}`, params)),
      ]
      return rows.map(({ id }) => id)
    })
  }

  async tokenByHash(hash: string): Promise<{ user: UserNumber; id: string; lastUsedAt: Instant | null } | undefined> {
    const [found] = await this.#driver.all<{ user: UserNumber; id: string; lastUsedAt: Instant | null }>(
      'SELECT user_id AS "user", id, last_used_at AS "lastUsedAt" FROM tokens WHERE hash = $1',
      [hash],
    )
    return found
  }

  async noteUse(user: UserNumber, tokenId: string, at: Instant): Promise<void> {
    await this.#driver.run('UPDATE tokens SET last_used_at = $3 WHERE user_id = $1 AND id = $2', [user, tokenId, at])
  }
}

/** Compares two secrets in constant time. */
function areSame(secret: string | undefined, given: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer')
  return secret !== undefined && timingSafeEqual(digest(secret), digest(given))
}

async function readPasswordHash(sql: Pick<SqlReader, 'all'>, user: UserNumber, lock = ''): Promise<string | undefined> {
  const [found] = await sql.all<{ hash: string }>(`SELECT password_hash AS hash FROM users WHERE id = $1${lock}`, [
    user,
  ])
  return found?.hash
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
