import { hash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isUserNumber, type Random, type UserNumber } from '@saldo/core'
import { OpenError, UnavailableError } from '../errors.ts'
import type { SecretKey } from '../store/users/user-rows.ts'

const SECRET_BYTES = 32
/** A shorter secret is damaged. */
const MIN_LENGTH = 32

/** Returns the secret of a data folder, which seals what is stored; creates it if missing. Throws `OpenError`. */
export function readSecret(dataDir: string, random: Random): string {
  const file = join(dataDir, 'auth-secret')
  let secret: string
  try {
    if (!existsSync(file)) create(file, random)
    secret = readFileSync(file, 'utf8')
  } catch (error) {
    throw new OpenError(`${file} cannot be used: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
  if (secret.length >= MIN_LENGTH) return secret
  throw new OpenError(
    `${file} is damaged: restore it, or delete it, after which authenticator apps and webhooks have to be set up again`,
  )
}

/** Creates the file by renaming, so that a full disk or a crash never leaves an empty one. */
function create(file: string, random: Random): void {
  const unfinished = `${file}.new`
  writeFileSync(unfinished, random.token(SECRET_BYTES), { mode: 0o600, flush: true })
  renameSync(unfinished, file)
}

/**
 * Returns a new secret of a user, such as `saldo_4711_` and 256 random bits in base64url, and the key by which the
 * database finds it. The number says where to look (D8.47); the bits alone open something.
 */
export function newSecret(random: Random, prefix: string, user: UserNumber): { secret: string; key: SecretKey } {
  const secret = `${prefix}${user}_${random.token(SECRET_BYTES)}`
  return { secret, key: { user, hash: hashOf(secret) } }
}

/** Returns the key of a secret that somebody gives; `undefined` for a text that `newSecret` does not make. */
export function secretKeyOf(prefix: string, secret: string): SecretKey | undefined {
  const number = secret.startsWith(prefix) ? NUMBERED.exec(secret.slice(prefix.length))?.[1] : undefined
  const user = Number(number)
  return isUserNumber(user) ? { user, hash: hashOf(secret) } : undefined
}

/** A number of a user and random bits. */
const NUMBERED = /^([1-9]\d{0,15})_[\w-]+$/

/** The 256 random bits of a secret need no slow hash. */
function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

/** Ignores that the use of a secret cannot be noted: a full disk must not stop a request that only reads. */
export function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof UnavailableError)) throw error
}
