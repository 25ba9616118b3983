import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '@saldo/core'
import { OpenError } from '../store/sql.ts'

const SECRET_BYTES = 32
/** A shorter secret is what is left of one. */
const MIN_LENGTH = 32

/**
 * The secret that signs session cookies, from the data folder; made at first use, readable by the owner alone. Without
 * it, a copy of the database opens no session; where it is lost, everybody signs in again. Throws `OpenError` where it
 * cannot be had.
 */
export function readSecret(dataDir: string, random: Random): string {
  const file = join(dataDir, 'auth-secret')
  let secret: string
  try {
    if (!existsSync(file)) make(file, random)
    secret = readFileSync(file, 'utf8')
  } catch (error) {
    throw new OpenError(`${file} cannot be used: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
  if (secret.length >= MIN_LENGTH) return secret
  throw new OpenError(`${file} is damaged: restore it, or remove it and let everybody sign in again`)
}

/** Makes the file whole, so that a full disk or a crash leaves none rather than an empty one. */
function make(file: string, random: Random): void {
  const unfinished = `${file}.new`
  writeFileSync(unfinished, random.token(SECRET_BYTES), { mode: 0o600, flush: true })
  renameSync(unfinished, file)
}
