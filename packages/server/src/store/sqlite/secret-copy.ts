import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { EpochMs } from '@saldo/core'
import { OpenError } from '../../errors.ts'
import { keptName } from './files.ts'

const secretOf = (databaseFile: string) => join(dirname(databaseFile), 'auth-secret')
const copyOf = (backup: string) => `${backup}.auth-secret`

/**
 * Copies the file `auth-secret` of a database beside its backup, for its owner alone. Returns its path; `undefined`
 * where there is none, as with SALDO_AUTH_SECRET. Throws `OpenError` if it cannot be written.
 */
export function backUpSecret(databaseFile: string, backup: string): string | undefined {
  const [from, to] = [secretOf(databaseFile), copyOf(backup)]
  if (!existsSync(from)) return undefined
  try {
    writeFileSync(to, readFileSync(from), { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    throw new OpenError(`${from} cannot be backed up: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  }
  return to
}

/**
 * Puts the secret that was backed up with a database in the place of the present one, which is kept under another
 * name. Returns that name, `undefined` if there was none or the same. Does nothing for a backup without a secret.
 */
export function restoreSecret(backup: string, databaseFile: string, nowMs: EpochMs): string | undefined {
  const [from, to] = [copyOf(backup), secretOf(databaseFile)]
  if (!existsSync(from)) return undefined
  const isThere = existsSync(to)
  if (isThere && readFileSync(from).equals(readFileSync(to))) return undefined
  const keptAs = isThere ? keptName(to, nowMs) : undefined
  const unfinished = `${to}.restoring`
  rmSync(unfinished, { force: true })
  writeFileSync(unfinished, readFileSync(from), { mode: 0o600, flag: 'wx', flush: true })
  if (keptAs) renameSync(to, keptAs)
  renameSync(unfinished, to)
  return keptAs
}
