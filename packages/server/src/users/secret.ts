import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '@saldo/core'

const SECRET_BYTES = 32

/**
 * The secret that signs session cookies, from the data folder; made at first use, readable by the owner alone. Without
 * it, a copy of the database opens no session; where it is lost, everybody signs in again.
 */
export function readSecret(dataDir: string, random: Random): string {
  const file = join(dataDir, 'auth-secret')
  try {
    // Another process may make it at the same moment: whoever is first, both read the same.
    writeFileSync(file, random.token(SECRET_BYTES), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readFileSync(file, 'utf8')
}
