import { type Instant, InstantText, type UserNumber } from '@saldo/core'
import * as v from 'valibot'
import type { SqlDriver, SqlWriter } from '../sql.ts'

/**
 * Second factors are in better-auth's table of credentials beside the password, distinguished by `provider_id`: the
 * sealed key of an authenticator app, with the last time step of an accepted code in `scope`; a key that is not
 * confirmed yet; and hashes of recovery codes.
 */
const KEY = 'totp'
const BEGUN_KEY = 'totp_begun'
const RECOVERY_CODE = 'recovery_code'

/** The state of a user's second factor: since when it is on, or null. */
export const SecondFactorState = v.object({
  since: v.nullable(InstantText),
  recovery_codes_left: v.pipe(v.number(), v.integer()),
})

export class SecondFactorStore {
  readonly #driver: SqlDriver

  constructor(driver: SqlDriver) {
    this.#driver = driver
  }

  async state(user: UserNumber): Promise<v.InferOutput<typeof SecondFactorState>> {
    const [row] = await this.#driver.all<v.InferOutput<typeof SecondFactorState>>(
      `SELECT MAX(CASE provider_id WHEN '${KEY}' THEN updated_at END) AS since,
         COUNT(CASE provider_id WHEN '${RECOVERY_CODE}' THEN 1 END) AS recovery_codes_left
       FROM credentials WHERE user_id = $1`,
      [user],
    )
    return row ?? { since: null, recovery_codes_left: 0 }
  }

  /** Returns the sealed key that is in force, or that is not confirmed yet. */
  async sealedKey(user: UserNumber, which: 'in_force' | 'begun'): Promise<string | undefined> {
    const provider = which === 'in_force' ? KEY : BEGUN_KEY
    const [row] = await this.#driver.all<{ password: string }>(
      'SELECT password FROM credentials WHERE user_id = $1 AND provider_id = $2',
      [user, provider],
    )
    return row?.password
  }

  /** Keeps a key until its first code. Replaces another key that is not confirmed; false if one is in force. */
  begin(user: UserNumber, sealedKey: string, at: Instant): Promise<boolean> {
    return this.#driver.write(async (sql) => {
      if (await isOn(sql, user)) return false
      await remove(sql, user, BEGUN_KEY)
      await add(sql, user, BEGUN_KEY, sealedKey, at)
      return true
    })
  }

  /** Puts a key into force, with its recovery codes; false if it was confirmed or replaced meanwhile. */
  confirm(
    user: UserNumber,
    { sealedKey, step, hashes, at }: { sealedKey: string; step: number; hashes: string[]; at: Instant },
  ): Promise<boolean> {
    return this.#driver.write(async (sql) => {
      if (await isOn(sql, user)) return false
      const confirmed = await sql.run(
        `UPDATE credentials SET provider_id = '${KEY}', scope = $3, created_at = $4, updated_at = $4
         WHERE user_id = $1 AND provider_id = '${BEGUN_KEY}' AND password = $2`,
        [user, sealedKey, String(step), at],
      )
      if (confirmed > 0) await replaceCodes(sql, user, hashes, at)
      return confirmed > 0
    })
  }

  /** Takes the code of a time step; false if one of this or a later step was taken already. */
  async takeStep(user: UserNumber, step: number): Promise<boolean> {
    const taken = await this.#driver.run(
      `UPDATE credentials SET scope = $2
       WHERE user_id = $1 AND provider_id = '${KEY}' AND CAST(scope AS BIGINT) < CAST($2 AS BIGINT)`,
      [user, String(step)],
    )
    return taken > 0
  }

  /** Takes a recovery code; false if there is none, or it was taken already. */
  async takeRecoveryCode(user: UserNumber, hash: string): Promise<boolean> {
    const taken = await this.#driver.run(
      `DELETE FROM credentials WHERE user_id = $1 AND provider_id = '${RECOVERY_CODE}' AND password = $2`,
      [user, hash],
    )
    return taken > 0
  }

  /** Replaces all recovery codes; false if no key is in force. */
  replaceRecoveryCodes(user: UserNumber, hashes: readonly string[], at: Instant): Promise<boolean> {
    return this.#driver.write(async (sql) => {
      if (!(await isOn(sql, user))) return false
      await replaceCodes(sql, user, hashes, at)
      return true
    })
  }

  /** Removes the keys and the recovery codes; false if none was in force. */
  remove(user: UserNumber): Promise<boolean> {
    return this.#driver.write(async (sql) => {
      const wasOn = await isOn(sql, user)
      for (const provider of [KEY, BEGUN_KEY, RECOVERY_CODE]) await remove(sql, user, provider)
      return wasOn
    })
  }
}

/** True if a key is in force. Locks the user until the transaction ends, so that no other one turns it on or off. */
async function isOn(sql: SqlWriter, user: UserNumber): Promise<boolean> {
  await sql.all(`SELECT id FROM users WHERE id = $1${sql.dialect.forUpdate}`, [user])
  const found = await sql.all(`SELECT id FROM credentials WHERE user_id = $1 AND provider_id = '${KEY}'`, [user])
  return found.length > 0
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
