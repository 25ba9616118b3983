import type { Instant, UserNumber } from '@saldo/core'
import type { SqlDriver, SqlReader, SqlWriter } from '../sql.ts'
import { endEarlierKeys } from './user-rows.ts'
import type { UserStore } from './users.ts'

/** The account of a person at an OpenID provider: the issuer, and the subject that it never gives to another. */
export interface CompanyIdentity {
  issuer: string
  subject: string
}

/** An identity as its user exports it. */
export interface IdentityRow extends CompanyIdentity {
  created_at: Instant
}

export interface NewPerson extends CompanyIdentity {
  /** In lower case; `undefined` if the provider has not verified it. */
  verifiedEmail: string | undefined
  name: string
}

export interface FoundUser {
  user: UserNumber
  isActive: boolean
}

/** The facts on which an admission is decided; those of the person are of one moment. */
export interface AdmissionFacts {
  /** The user of the identity. */
  known: FoundUser | undefined
  /** The user who has the verified address, and whether they have another identity of the issuer. */
  sameAddress: (FoundUser & { hasIdentity: boolean; isConfirmed: boolean }) | undefined
  hasUsers: boolean
}

export type Admission<Reason> =
  | { outcome: 'enter' | 'link'; user: UserNumber }
  | { outcome: 'create' }
  | { outcome: 'refuse'; reason: Reason }

export type Admitted = { outcome: 'admitted'; user: UserNumber; by: 'enter' | 'link' | 'create' }

/** Identities of OpenID providers, and the users whom they belong to. */
export class IdentityStore {
  readonly #driver: SqlDriver
  readonly #users: UserStore

  constructor(driver: SqlDriver, users: UserStore) {
    this.#driver = driver
    this.#users = users
  }

  /**
   * Finds the user of a person who has signed in at a provider, or links or adds one, as `decide` says. Linking ends
   * all that opened the account before, other providers included (D20.7). A verified address confirms that of the user.
   */
  admit<Reason>(
    person: NewPerson,
    decide: (facts: AdmissionFacts) => Admission<Reason>,
    at: Instant,
  ): Promise<Admitted | { outcome: 'refused'; reason: Reason }> {
    return this.#driver.write(async (sql) => {
      // Of concurrent sign-ins of a person one inserts; the others then find what it has stored.
      for (;;) {
        const decided = decide(await factsOf(sql, person))
        switch (decided.outcome) {
          case 'enter':
            await confirmAddress(sql, decided.user, person, at)
            return { outcome: 'admitted', user: decided.user, by: 'enter' }
          case 'refuse':
            return { outcome: 'refused', reason: decided.reason }
          case 'link':
            if (!(await insertIdentity(sql, decided.user, person, at))) continue
            await endAllButIdentity(sql, decided.user, person)
            return { outcome: 'admitted', user: decided.user, by: 'link' }
          case 'create': {
            const email = person.verifiedEmail ?? ''
            const newUser = { email, isConfirmed: true, name: person.name, passwordHash: null, at }
            const user = await this.#users.insert(sql, newUser)
            if (user === undefined) continue
            if (!(await insertIdentity(sql, user, person, at))) throw new Error('the identity got a user meanwhile')
            return { outcome: 'admitted', user, by: 'create' }
          }
        }
      }
    })
  }

  /** True if an identity is still one of a user: linking at another provider, or a proof of the address, ends it. */
  async isOf(user: UserNumber, { issuer, subject }: CompanyIdentity): Promise<boolean> {
    const find = 'SELECT user_id FROM oidc_identities WHERE issuer = $1 AND subject = $2 AND user_id = $3'
    return (await this.#driver.all(find, [issuer, subject, user])).length > 0
  }

  /** Returns the user's identities, the oldest first. */
  list(user: UserNumber): Promise<IdentityRow[]> {
    return this.#driver.all(
      'SELECT issuer, subject, created_at FROM oidc_identities WHERE user_id = $1 ORDER BY created_at, issuer',
      [user],
    )
  }

  /** Removes all identities of a user. Returns their number. */
  removeAll(user: UserNumber): Promise<number> {
    return this.#driver.run('DELETE FROM oidc_identities WHERE user_id = $1', [user])
  }
}

async function factsOf(sql: SqlReader, { issuer, subject, verifiedEmail }: NewPerson): Promise<AdmissionFacts> {
  interface Row {
    user: UserNumber
    isActive: number
    isConfirmed: number
    isKnown: number
    hasAddress: number
    hasIdentity: number
  }
  // Locked, so that a deactivation or another address of the user comes before or after the decision. One statement: on
  // PostgreSQL, a second one could see what another sign-in of the person has stored meanwhile, and
  // together they would say that the address belongs to somebody else.
  const found = await sql.all<Row>(
    `SELECT id AS "user",
       CASE WHEN deactivated_at IS NULL THEN 1 ELSE 0 END AS "isActive",
       CASE WHEN email_confirmed_at IS NULL THEN 0 ELSE 1 END AS "isConfirmed",
       CASE WHEN email = $3 THEN 1 ELSE 0 END AS "hasAddress",
       (SELECT COUNT(*) FROM oidc_identities
        WHERE issuer = $1 AND subject = $2 AND user_id = users.id) AS "isKnown",
       (SELECT COUNT(*) FROM oidc_identities WHERE issuer = $1 AND user_id = users.id) AS "hasIdentity"
     FROM users
     WHERE email = $3 OR id = (SELECT user_id FROM oidc_identities
       WHERE issuer = $1 AND subject = $2)${sql.dialect.locking('FOR UPDATE')}`,
    [issuer, subject, verifiedEmail ?? null],
  )
  const users = found.map((row) => ({
    ...row,
    isActive: row.isActive === 1,
    isConfirmed: row.isConfirmed === 1,
    hasIdentity: row.hasIdentity > 0,
  }))
  return {
    known: users.find(({ isKnown }) => isKnown > 0),
    sameAddress: users.find(({ hasAddress }) => hasAddress === 1),
    hasUsers: (await sql.all('SELECT id FROM users LIMIT 1')).length > 0,
  }
}

/** Returns false if the identity belongs to somebody already, or the user has another one of the issuer. */
async function insertIdentity(
  sql: SqlWriter,
  user: UserNumber,
  { issuer, subject }: CompanyIdentity,
  at: Instant,
): Promise<boolean> {
  const added = await sql.run(
    'INSERT INTO oidc_identities (issuer, subject, user_id, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [issuer, subject, user, at],
  )
  return added > 0
}

async function endAllButIdentity(sql: SqlWriter, user: UserNumber, { issuer }: CompanyIdentity): Promise<void> {
  await sql.run('UPDATE users SET password_hash = NULL WHERE id = $1', [user])
  await sql.run('DELETE FROM oidc_identities WHERE user_id = $1 AND issuer <> $2', [user, issuer])
  await endEarlierKeys(sql, user)
}

async function confirmAddress(
  sql: SqlWriter,
  user: UserNumber,
  { verifiedEmail }: NewPerson,
  at: Instant,
): Promise<void> {
  if (verifiedEmail === undefined) return
  await sql.run(
    'UPDATE users SET email_confirmed_at = $3 WHERE id = $1 AND email = $2 AND email_confirmed_at IS NULL',
    [user, verifiedEmail, at],
  )
}
