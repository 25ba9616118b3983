import type { Instant, UserNumber } from '@saldo/core'
import type { SqlDriver, SqlWriter } from '../sql.ts'

/** Returns the purpose of a challenge that creates a passkey of a user. */
export function passkeyCreationOf(user: UserNumber): string {
  return `passkey_creation ${user}`
}

/** Returns the purpose of a challenge that turns on a second factor of a user. */
export function secondFactorCreationOf(user: UserNumber): string {
  return `second_factor ${user}`
}

/** Ends what would still become a passkey or the second factor of a user. */
export async function endKeysToBe(sql: SqlWriter, user: UserNumber): Promise<void> {
  for (const purpose of [passkeyCreationOf(user), secondFactorCreationOf(user)]) {
    await sql.run('DELETE FROM challenges WHERE purpose = $1', [purpose])
  }
}

/** Random texts that must come back once, to any node, before they expire. */
export class ChallengeStore {
  readonly #driver: SqlDriver

  constructor(driver: SqlDriver) {
    this.#driver = driver
  }

  /** Keeps a challenge for a purpose until it is taken or expires. */
  keep(challenge: string, purpose: string, { at, until }: { at: Instant; until: Instant }): Promise<void> {
    return this.#driver.write(async (sql) => {
      await sql.run('DELETE FROM challenges WHERE expires_at <= $1', [at])
      await sql.run('INSERT INTO challenges (challenge, purpose, expires_at) VALUES ($1, $2, $3)', [
        challenge,
        purpose,
        until,
      ])
    })
  }

  /** Takes a challenge; false if there is none for the purpose, or it has expired. */
  async take(challenge: string, purpose: string, at: Instant): Promise<boolean> {
    const taken = await this.#driver.run(
      'DELETE FROM challenges WHERE challenge = $1 AND purpose = $2 AND expires_at > $3',
      [challenge, purpose, at],
    )
    return taken > 0
  }
}
