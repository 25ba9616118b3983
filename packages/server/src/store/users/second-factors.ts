import type { Instant, SecondFactorState, UserNumber } from '@saldo/core'
import type { SqlDriver, SqlWriter } from '../sql.ts'

/** The sealed keys of authenticator apps, which are in force once a code confirmed them, and hashed recovery codes. */
export class SecondFactorStore {
  readonly #driver: SqlDriver

  constructor(driver: SqlDriver) {
    this.#driver = driver
  }

  async state(user: UserNumber): Promise<SecondFactorState> {
    const [row] = await this.#driver.all<SecondFactorState>(
      `SELECT (SELECT confirmed_at FROM second_factors WHERE user_id = $1) AS since,
         (SELECT COUNT(*) FROM recovery_codes WHERE user_id = $1) AS recovery_codes_left`,
      [user],
    )
    return row ?? { since: null, recovery_codes_left: 0 }
  }

  /** Returns the user's sealed key; `undefined` if there is none. */
  async key(user: UserNumber): Promise<{ sealedKey: string; isInForce: boolean } | undefined> {
    const [row] = await this.#driver.all<{ sealed_key: string; confirmed_at: Instant | null }>(
      'SELECT sealed_key, confirmed_at FROM second_factors WHERE user_id = $1',
      [user],
    )
    return row && { sealedKey: row.sealed_key, isInForce: row.confirmed_at !== null }
  }

  /** Keeps a key until its first code. Replaces another key that is not confirmed; false if one is in force. */
  async begin(user: UserNumber, sealedKey: string): Promise<boolean> {
    const begun = await this.#driver.run(
      `INSERT INTO second_factors (user_id, sealed_key) VALUES ($1, $2)
       ON CONFLICT (user_id) DO UPDATE SET sealed_key = excluded.sealed_key WHERE second_factors.confirmed_at IS NULL`,
      [user, sealedKey],
    )
    return begun > 0
  }

  /** Puts a key into force, with its recovery codes; false if it was confirmed or replaced meanwhile. */
  confirm(
    user: UserNumber,
    { sealedKey, step, hashes, at }: { sealedKey: string; step: number; hashes: string[]; at: Instant },
  ): Promise<boolean> {
    return this.#driver.write(async (sql) => {
      const confirmed = await sql.run(
        `UPDATE second_factors SET step = $3, confirmed_at = $4
         WHERE user_id = $1 AND sealed_key = $2 AND confirmed_at IS NULL`,
        [user, sealedKey, step, at],
      )
      if (confirmed > 0) await replaceCodes(sql, user, hashes)
      return confirmed > 0
    })
  }

  /** Takes the code of a time step; false if one of this or a later step was taken already. */
  async takeStep(user: UserNumber, step: number): Promise<boolean> {
    return (
      (await this.#driver.run('UPDATE second_factors SET step = $2 WHERE user_id = $1 AND step < $2', [user, step])) > 0
    )
  }

  /** Takes a recovery code; false if there is none, or it was taken already. */
  async takeRecoveryCode(user: UserNumber, hash: string): Promise<boolean> {
    return (await this.#driver.run('DELETE FROM recovery_codes WHERE user_id = $1 AND hash = $2', [user, hash])) > 0
  }

  /** Replaces all recovery codes; false if no key is in force. */
  replaceRecoveryCodes(user: UserNumber, hashes: readonly string[]): Promise<boolean> {
    return this.#driver.write(async (sql) => {
      const keyInForce = await sql.all(
        `SELECT 1 FROM second_factors
         WHERE user_id = $1 AND confirmed_at IS NOT NULL${sql.dialect.locking('FOR UPDATE')}`,
        [user],
      )
      if (keyInForce.length === 0) return false
      await replaceCodes(sql, user, hashes)
      return true
    })
  }

  /** Removes the key and the recovery codes; false if none was in force. */
  remove(user: UserNumber): Promise<boolean> {
    return this.#driver.write(async (sql) => {
      const [removed] = await sql.all<{ confirmed_at: Instant | null }>(
        'DELETE FROM second_factors WHERE user_id = $1 RETURNING confirmed_at',
        [user],
      )
      await replaceCodes(sql, user, [])
      return removed !== undefined && removed.confirmed_at !== null
    })
  }
}

async function replaceCodes(sql: SqlWriter, user: UserNumber, hashes: readonly string[]): Promise<void> {
  await sql.run('DELETE FROM recovery_codes WHERE user_id = $1', [user])
  await sql.insertEach(
    { into: 'recovery_codes (user_id, hash)', types: ['BIGINT', 'TEXT'] },
    hashes.map((hash) => [user, hash]),
  )
}
