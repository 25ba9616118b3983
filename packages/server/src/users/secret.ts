import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '@saldo/core'
import { OpenError } from '../store/sql.ts'

const SECRET_BYTES = 32
/** A shorter secret is damaged. */
const MIN_LENGTH = 32

/**
 * Returns the secret that signs session cookies, from the data folder. Creates it at first use, readable only by its
 * owner. A copy of the database without it opens no session. Throws `OpenError` if it cannot be read or created.
 */
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
  throw new OpenError(`${file} is damaged: restore it, or delete it, after which every user must sign in again`)
}

/** Creates the file by renaming, so that a full disk or a crash never leaves an empty one. */
function create(file: string, random: Random): void {
  const unfinished = `${file}.new`
  writeFileSync(unfinished, random.token(SECRET_BYTES), { mode: 0o600, flush: true })
  renameSync(unfinished, file)
}
