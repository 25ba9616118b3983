import { hash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '@saldo/core'
import { OpenError, UnavailableError } from '../errors.ts'

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

/** Returns the hash that the database keeps of a random secret. Its 256 bits need no slow hash. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

/** Ignores that the use of a secret cannot be noted: a full disk must not stop a request that only reads. */
export function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof UnavailableError)) throw error
}
