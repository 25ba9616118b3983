import type { Instant, UserNumber } from '@saldo/core'
import type { SqlDriver, SqlWriter } from '../sql.ts'

/**
 * Second factors, in better-auth's table of credentials beside the password, told apart by `provider_id`: the key of
 * an authenticator app, sealed, with the last time step of which a code was taken in `scope`; a key that waits for
 * its first code; and recovery codes, by hash.
 */
const KEY = 'totp'
const BEGUN_KEY = 'totp_begun'
const RECOVERY_CODE = 'recovery_code'

/** What the store says of a user's second factor. */
export interface SecondFactorState {
  /** Since when codes of an authenticator app are asked for; `null` where they are not. */
  since: Instant | null
  recoveryCodesLeft: number
}

export class SecondFactorStore {
  readonly #driver: SqlDriver

  constructor(driver: SqlDriver) {
    this.#driver = driver
  }

  async state(user: UserNumber): Promise<SecondFactorState> {
    const [row] = await this.#driver.all<SecondFactorState>(
      `SELECT MAX(CASE provider_id WHEN '${KEY}' THEN updated_at END) AS since,
         COUNT(CASE provider_id WHEN '${RECOVERY_CODE}' THEN 1 END) AS "recoveryCodesLeft"
       FROM credentials WHERE user_id = $1`,
      [user],
    )
    return row ?? { since: null, recoveryCodesLeft: 0 }
  }

  /** The sealed key that is in force, or that was begun. */
  async sealedKey(user: UserNumber, which: 'in_force' | 'begun'): Promise<string | undefined> {
    const provider = which === 'in_force' ? KEY : BEGUN_KEY
    const [row] = await this.#driver.all<{ password: string }>(
      'SELECT password FROM credentials WHERE user_id = $1 AND provider_id = $2',
      [user, provider],
    )
    return row?.password
  }

  /** Keeps a key until its first code, in the place of one that was begun before. */
  begin(user: UserNumber, sealedKey: string, at: Instant): Promise<void> {
    return this.#driver.write(async (sql) => {
      await remove(sql, user, BEGUN_KEY)
      await add(sql, user, BEGUN_KEY, sealedKey, at)
    })
  }

  /** Puts the begun key into force, with its recovery codes. False where another request did, or began anew. */
  confirm(
    user: UserNumber,
    begun: { sealedKey: string; step: number; hashes: string[]; at: Instant },
  ): Promise<boolean> {
    const { sealedKey, step, hashes, at } = begun
    return this.#driver.write(async (sql) => {
      const confirmed = await sql.run(
        `UPDATE credentials SET provider_id = '${KEY}', scope = $3, created_at = $4, updated_at = $4
         WHERE user_id = $1 AND provider_id = '${BEGUN_KEY}' AND password = $2`,
        [user, sealedKey, String(step), at],
      )
      if (confirmed > 0) await replaceCodes(sql, user, hashes, at)
      return confirmed > 0
    })
  }

  /** Takes the code of a time step; false where one of it or of a later one was taken before. */
  takeStep(user: UserNumber, step: number): Promise<boolean> {
    return this.#driver.write(async (sql) => {
      const taken = await sql.run(
        `UPDATE credentials SET scope = $2
         WHERE user_id = $1 AND provider_id = '${KEY}' AND CAST(scope AS BIGINT) < CAST($2 AS BIGINT)`,
        [user, String(step)],
      )
      return taken > 0
    })
  }

  /** Takes a recovery code; false where there is none, or no more. */
  takeRecoveryCode(user: UserNumber, hash: string): Promise<boolean> {
    return this.#driver.write(async (sql) => {
      const taken = await sql.run(
        `DELETE FROM credentials WHERE user_id = $1 AND provider_id = '${RECOVERY_CODE}' AND password = $2`,
        [user, hash],
      )
      return taken > 0
    })
  }

  /** Puts new recovery codes in the place of all that were left. */
  replaceRecoveryCodes(user: UserNumber, hashes: readonly string[], at: Instant): Promise<void> {
    return this.#driver.write((sql) => replaceCodes(sql, user, hashes, at))
  }

  /** Removes the key and the recovery codes; false where none was in force. */
  remove(user: UserNumber): Promise<boolean> {
    return this.#driver.write(async (sql) => {
      const removed = await remove(sql, user, KEY)
      await remove(sql, user, BEGUN_KEY)
      await remove(sql, user, RECOVERY_CODE)
      return removed > 0
    })
  }
}

async function replaceCodes(sql: SqlWriter, user: UserNumber, hashes: readonly string[], at: Instant): Promise<void> {
  await remove(sql, user, RECOVERY_CODE)
  for (const hash of hashes) await add(sql, user, RECOVERY_CODE, hash, at)
}

function remove(sql: SqlWriter, user: UserNumber, provider: string): Promise<number> {
  return sql.run('DELETE FROM credentials WHERE user_id = $1 AND provider_id = $2', [user, provider])
}

async function add(sql: SqlWriter, user: UserNumber, provider: string, secret: string, at: Instant): Promise<void> {
  await sql.run(
    `INSERT INTO credentials (user_id, account_id, provider_id, password, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $5)`,
    [user, String(user), provider, secret, at],
  )
}
