import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { EpochMs, Random } from '@saldo/core'
import Database from 'better-sqlite3'
import { latestLevel } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { OpenError } from '../sql.ts'
import { holdLock, realFile, syncFile, syncFolderOf } from './files.ts'

/** All pages in one step, so that writers never make it begin again; they do not wait for it either. */
const ALL_PAGES = 2 ** 31 - 1
/** Enough that two copies at once do not meet. */
const NAME_BYTES = 6

export interface BackupOptions {
  /** The database; a service may have it open. */
  file: string
  /** Where the copy goes; nothing may be there. */
  to: string
  random: Random
}

/**
 * Copies a database as it is at one moment, by the engine's own backup, into one file that is whole, checked page by
 * page and durable. A crash leaves no file under that name. Returns its size in bytes. Throws `OpenError` with one
 * clear line.
 */
export async function backUpSqlite({ file, to, random }: BackupOptions): Promise<number> {
  if (existsSync(to)) throw new OpenError(`${to} is there already: backups are never overwritten`)
  const unfinished = `${resolve(to)}.${random.token(NAME_BYTES)}.unfinished`
  try {
    // For the owner alone, like the database.
    writeFileSync(unfinished, '', { mode: 0o600, flag: 'wx' })
    const source = new Database(realFile(file), { fileMustExist: true, readonly: true })
    try {
      await source.backup(unfinished, { progress: () => ALL_PAGES })
    } finally {
      source.close()
    }
    checkWhole(unfinished, file)
    syncFile(unfinished)
    giveName(unfinished, to)
    syncFolderOf(to)
    return statSync(to).size
  } catch (error) {
    throw clear(error, `${file} cannot be backed up to ${to}`)
  } finally {
    removeAll(unfinished)
  }
}

/** By a link, which, unlike a rename, fails where somebody has put a file there meanwhile. USB sticks know none. */
function giveName(unfinished: string, to: string): void {
  try {
    linkSync(unfinished, to)
  } catch (error) {
    if (lstatSync(to, { throwIfNoEntry: false })) throw error
    renameSync(unfinished, to)
  }
}

export interface RestoreOptions {
  /** A copy of a database, in one file. */
  from: string
  /** Where the database goes. */
  file: string
  nowMs: EpochMs
}

/**
 * Puts a copy in the place of the database, while no service runs, and keeps what was there under another name, which
 * it returns. A crash leaves the old database, the new one, or none and the old one under its other name. Throws
 * `OpenError` with one clear line; nothing has changed then.
 */
export function restoreSqlite({ from, file: path, nowMs }: RestoreOptions): { keptAs: string | undefined } {
  try {
    const file = realFile(path)
    const unfinished = `${file}.restoring`
    if (!statSync(from, { throwIfNoEntry: false })?.isFile()) throw new OpenError(`there is no file ${from}`)
    if (statSync(`${from}-wal`, { throwIfNoEntry: false })?.size) {
      throw new OpenError(`${from} is not whole without ${from}-wal beside it: make a copy of it with «saldo backup»`)
    }
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const lock = holdLock(`${file}.lock`)
    if (!lock) throw new OpenError(`${file} is in use by a running service: stop it first`)
    try {
      removeAll(unfinished)
      writeFileSync(unfinished, '', { mode: 0o600 })
      copyFileSync(from, unfinished)
      checkWhole(unfinished, from)
      syncFile(unfinished)
      const keptAs = putAside(file, nowMs)
      renameSync(unfinished, file)
      syncFolderOf(file)
      return { keptAs }
    } finally {
      removeAll(unfinished)
      lock.release()
    }
  } catch (error) {
    throw clear(error, `${from} cannot be restored to ${path}`)
  }
}

/** Renames a database with its write-ahead file; the file first, since without it nobody starts. */
function putAside(file: string, nowMs: EpochMs): string | undefined {
  const there = ['', '-wal'].filter((suffix) => existsSync(file + suffix))
  const at = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-')
  const keptAs = `${file}.before-restore-${at}`
  if (there.some((suffix) => existsSync(keptAs + suffix))) throw new OpenError(`${keptAs} is there already`)
  for (const suffix of there) renameSync(file + suffix, keptAs + suffix)
  rmSync(`${file}-shm`, { force: true })
  return there.length > 0 ? keptAs : undefined
}

/**
 * Throws unless a copy is a sound database of a Saldo that this program knows. Leaves it in one file, without a
 * write-ahead file beside it. `origin` is what messages call it.
 */
function checkWhole(copy: string, origin: string): void {
  const database = new Database(copy, { fileMustExist: true })
  try {
    database.pragma('journal_mode = DELETE')
    const level = database.pragma('user_version', { simple: true }) as number
    const tables = database.prepare('SELECT name FROM sqlite_schema').pluck().all()
    if (level === 0 || !tables.includes('sync_log')) throw new OpenError(`${origin} is no Saldo database`)
    if (level > latestLevel(migrations)) {
      throw new OpenError(
        `${origin} has schema level ${level}, this program knows ${latestLevel(migrations)}: use a newer version of Saldo`,
      )
    }
    const [finding] = database.prepare('PRAGMA integrity_check(1)').pluck().all()
    if (finding !== 'ok') throw new OpenError(`${origin} is damaged: ${finding}`)
    const [loose] = database.pragma('foreign_key_check') as unknown[]
    if (loose) throw new OpenError(`${origin} is damaged: a row has no user`)
  } finally {
    database.close()
  }
}

function removeAll(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
}

function clear(error: unknown, what: string): unknown {
  const isKnown = error instanceof Database.SqliteError || (error instanceof Error && 'syscall' in error)
  if (!isKnown) return error
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EEXIST') return new OpenError(`${what}: a file is there already`, { cause: error })
  return new OpenError(`${what}: ${error.message}`, { cause: error })
}
