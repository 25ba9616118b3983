import type { AccessKeyRow, Instant, UserNumber } from '@saldo/core'
import type { SqlDriver } from '../sql.ts'

/** A key pair of an authenticator; the texts are base64url. */
export interface Credential {
  credentialId: string
  /** In COSE form (RFC 9052). */
  publicKey: string
  /** The number of its signatures; 0 for authenticators that do not count. */
  counter: number
}

export class PasskeyStore {
  readonly #driver: SqlDriver

  constructor(driver: SqlDriver) {
    this.#driver = driver
  }

  /** Returns the user's passkeys, the newest first. */
  list(user: UserNumber): Promise<AccessKeyRow[]> {
    return this.#driver.all(
      'SELECT id, name, created_at, last_used_at FROM passkeys WHERE user_id = $1 ORDER BY created_at DESC, id',
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

  /** Adds a passkey; false if the credential is already stored. */
  async add(user: UserNumber, { id, name, created_at }: AccessKeyRow, credential: Credential): Promise<boolean> {
    const { credentialId, publicKey, counter } = credential
    const added = await this.#driver.run(
      `INSERT INTO passkeys (user_id, id, name, credential_id, public_key, counter, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (credential_id) DO NOTHING`,
      [user, id, name, credentialId, publicKey, counter, created_at],
    )
    return added > 0
  }

  /** Notes a signature; false if the passkey is gone, or its counter does not increase because there is a copy. */
  async noteUse(user: UserNumber, id: string, { counter, at }: { counter: number; at: Instant }): Promise<boolean> {
    const noted = await this.#driver.run(
      `UPDATE passkeys SET counter = $3, last_used_at = $4
       WHERE user_id = $1 AND id = $2 AND (counter < $3 OR (counter = 0 AND $3 = 0))`,
      [user, id, counter, at],
    )
    return noted > 0
  }

  /** Renames a passkey and returns it; `undefined` if the user has no such passkey. */
  rename(user: UserNumber, id: string, name: string): Promise<AccessKeyRow | undefined> {
    return this.#driver.write(async (sql) => {
      const [renamed] = await sql.all<AccessKeyRow>(
        `UPDATE passkeys SET name = $3 WHERE user_id = $1 AND id = $2
         RETURNING id, name, created_at, last_used_at`,
        [user, id, name],
      )
      return renamed
    })
  }

  /** Removes a passkey; false if the user has no such passkey. */
  async remove(user: UserNumber, id: string): Promise<boolean> {
    return (await this.#driver.run('DELETE FROM passkeys WHERE user_id = $1 AND id = $2', [user, id])) > 0
  }

  /** Removes all passkeys of a user. Returns their number. */
  removeAll(user: UserNumber): Promise<number> {
    return this.#driver.run('DELETE FROM passkeys WHERE user_id = $1', [user])
  }
}
