import type { Instant, UserNumber } from '@saldo/core'
import type { SqlDriver } from '../sql.ts'

/** What a user is told of a passkey. */
export interface PasskeyRow {
  id: string
  name: string
  createdAt: Instant
  lastUsedAt: Instant | null
}

/** What an authenticator made, in base64url. */
export interface Credential {
  credentialId: string
  /** As COSE has it (RFC 9052). */
  publicKey: string
  /** How often it has signed; authenticators that do not count say 0. */
  counter: number
}

/** Passkeys, and the challenges that are still to be signed, in better-auth's table of what is to be verified. */
export class PasskeyStore {
  readonly #driver: SqlDriver

  constructor(driver: SqlDriver) {
    this.#driver = driver
  }

  /** The newest first. */
  list(user: UserNumber): Promise<PasskeyRow[]> {
    return this.#driver.all<PasskeyRow>(
      `SELECT id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt"
       FROM passkeys WHERE user_id = $1 ORDER BY created_at DESC, id`,
      [user],
    )
  }

  async credentialIds(user: UserNumber): Promise<string[]> {
    const rows = await this.#driver.all<{ id: string }>(
      'SELECT credential_id AS id FROM passkeys WHERE user_id = $1 ORDER BY created_at, id',
      [user],
    )
    return rows.map(({ id }) => id)
  }

  async byCredential(credentialId: string): Promise<{ user: UserNumber; id: string; publicKey: string } | undefined> {
    const [found] = await this.#driver.all<{ user: UserNumber; id: string; publicKey: string }>(
      'SELECT user_id AS "user", id, public_key AS "publicKey" FROM passkeys WHERE credential_id = $1',
      [credentialId],
    )
    return found
  }

  /** False where the credential is somebody's passkey already. */
  add(user: UserNumber, passkey: { id: string; name: string; at: Instant } & Credential): Promise<boolean> {
    const { id, name, credentialId, publicKey, counter, at } = passkey
    return this.#driver.write(async (sql) => {
      const added = await sql.run(
        `INSERT INTO passkeys (user_id, id, name, credential_id, public_key, counter, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (credential_id) DO NOTHING`,
        [user, id, name, credentialId, publicKey, counter, at],
      )
      return added > 0
    })
  }

  /** Notes that it has signed. False where it is gone, or where its counter does not go on: then there is a copy of it. */
  noteUse(user: UserNumber, id: string, { counter, at }: { counter: number; at: Instant }): Promise<boolean> {
    return this.#driver.write(async (sql) => {
      const noted = await sql.run(
        `UPDATE passkeys SET counter = $3, last_used_at = $4
         WHERE user_id = $1 AND id = $2 AND (counter < $3 OR (counter = 0 AND $3 = 0))`,
        [user, id, counter, at],
      )
      return noted > 0
    })
  }

  /** What it is now; `undefined` where the user has no such passkey. */
  rename(user: UserNumber, id: string, name: string): Promise<PasskeyRow | undefined> {
    return this.#driver.write(async (sql) => {
      const [renamed] = await sql.all<PasskeyRow>(
        `UPDATE passkeys SET name = $3 WHERE user_id = $1 AND id = $2
         RETURNING id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt"`,
        [user, id, name],
      )
      return renamed
    })
  }

  /** False where the user has no such passkey. */
  remove(user: UserNumber, id: string): Promise<boolean> {
    return this.#driver.write(
      async (sql) => (await sql.run('DELETE FROM passkeys WHERE user_id = $1 AND id = $2', [user, id])) > 0,
    )
  }

  /** How many there were. */
  removeAll(user: UserNumber): Promise<number> {
    return this.#driver.write((sql) => sql.run('DELETE FROM passkeys WHERE user_id = $1', [user]))
  }

  /** Keeps a challenge for a purpose until it is taken or its time is over. */
  keepChallenge(challenge: string, purpose: string, { at, until }: { at: Instant; until: Instant }): Promise<void> {
    return this.#driver.write(async (sql) => {
      await sql.run('DELETE FROM verifications WHERE expires_at <= $1', [at])
      await sql.run(
        `INSERT INTO verifications (identifier, value, expires_at, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)`,
        [challenge, purpose, until, at],
      )
    })
  }

  /** Takes a challenge; false where there is none for the purpose, or no more. */
  takeChallenge(challenge: string, purpose: string, at: Instant): Promise<boolean> {
    return this.#driver.write(async (sql) => {
      const taken = await sql.run(
        'DELETE FROM verifications WHERE identifier = $1 AND value = $2 AND expires_at > $3',
        [challenge, purpose, at],
      )
      return taken > 0
    })
  }
}
