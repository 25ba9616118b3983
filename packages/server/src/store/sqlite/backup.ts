import {
  chmodSync,
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
import { type EpochMs, fieldOf, itemsOf, type Random } from '@saldo/core'
import Database from 'better-sqlite3'
import { OpenError } from '../../errors.ts'
import { latestLevel } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { MOVED, movedError } from '../service-state.ts'
import { holdLock, keptName, realFile, syncFile, syncFolderOf } from './files.ts'

/** More pages than a database has. A copy in one step does not start again when somebody writes, and blocks nobody. */
const ALL_PAGES = 2 ** 31 - 1
/** The random bytes in the name of an unfinished copy: two backups at once have different ones. */
const NAME_BYTES = 6

export interface BackupOptions {
  /** The database, which may be in use. */
  file: string
  /** The path of the backup, which must not exist. */
  to: string
  random: Random
}

/**
 * Copies a database in use into one durable file and checks it. The copy has no free pages, which hold what was
 * deleted, such as an erased account (D19.22). Returns its size in bytes. Throws `OpenError`.
 */
export async function backUpSqlite({ file, to, random }: BackupOptions): Promise<number> {
  if (existsSync(to)) throw new OpenError(`${to} exists: Saldo does not overwrite backups`)
  const unfinished = `${resolve(to)}.${random.token(NAME_BYTES)}.unfinished`
  try {
    // Only its owner may read it, like the database.
    writeFileSync(unfinished, '', { mode: 0o600, flag: 'wx' })
    const source = new Database(realFile(file), { fileMustExist: true, readonly: true })
    try {
      await source.backup(unfinished, { progress: () => ALL_PAGES })
    } finally {
      source.close()
    }
    checkCopy(unfinished, file)
    refuseMoved(unfinished, file)
    removeFreePages(unfinished)
    syncFile(unfinished)
    renameToNew(unfinished, to)
    syncFolderOf(to)
    return statSync(to).size
  } catch (error) {
    throw withMessage(error, `${file} cannot be backed up to ${to}`)
  } finally {
    removeDatabase(unfinished)
  }
}

function removeFreePages(copy: string): void {
  const database = new Database(copy, { fileMustExist: true })
  try {
    database.exec('VACUUM')
  } finally {
    database.close()
  }
}

/** Renames a file by way of a link, which never replaces a file. Some file systems, as on USB sticks, have no links. */
function renameToNew(unfinished: string, to: string): void {
  try {
    linkSync(unfinished, to)
  } catch (error) {
    if (lstatSync(to, { throwIfNoEntry: false })) throw error
    renameSync(unfinished, to)
  }
}

export interface RestoreOptions {
  from: string
  file: string
  nowMs: EpochMs
}

/**
 * Replaces a database that no service uses by a backup. Renames the old database and returns its new name. A crash
 * leaves the old database, the new one, or only the renamed old one. Throws `OpenError` with one line and changes
 * nothing.
 */
export function restoreSqlite({ from, file: path, nowMs }: RestoreOptions): { keptAs: string | undefined } {
  try {
    const file = realFile(path)
    const unfinished = `${file}.restoring`
    if (!statSync(from, { throwIfNoEntry: false })?.isFile()) throw new OpenError(`there is no file ${from}`)
    if (statSync(`${from}-wal`, { throwIfNoEntry: false })?.size) {
      const advice = 'run `saldo admin backup` to copy both into one file'
      throw new OpenError(`${from} is incomplete without ${from}-wal: ${advice}`)
    }
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const lock = holdLock(`${file}.lock`)
    if (!lock) throw new OpenError(`${file} is in use by a running service: stop it first`)
    try {
      removeDatabase(unfinished)
      // Fails if somebody has put a link to another file there.
      writeFileSync(unfinished, '', { mode: 0o600, flag: 'wx' })
      copyFileSync(from, unfinished)
      // The copy has got the mode of the backup.
      chmodSync(unfinished, 0o600)
      checkCopy(unfinished, from)
      unmarkMoved(unfinished)
      syncFile(unfinished)
      const keptAs = renameOld(file, nowMs)
      renameSync(unfinished, file)
      syncFolderOf(file)
      return { keptAs }
    } finally {
      removeDatabase(unfinished)
      lock.release()
    }
  } catch (error) {
    throw withMessage(error, `${from} cannot be restored to ${path}`)
  }
}

/** Renames a database and its write-ahead log. The log comes last: a log without a database is refused. */
function renameOld(file: string, nowMs: EpochMs): string | undefined {
  const suffixes = ['', '-wal'].filter((suffix) => existsSync(file + suffix))
  const keptAs = keptName(file, nowMs)
  if (suffixes.some((suffix) => existsSync(keptAs + suffix))) throw new OpenError(`${keptAs} exists`)
  for (const suffix of suffixes) renameSync(file + suffix, keptAs + suffix)
  rmSync(`${file}-shm`, { force: true })
  return suffixes.length > 0 ? keptAs : undefined
}

/** Throws `OpenError` unless a copy is an undamaged database of a known level. Leaves no write-ahead log. */
function checkCopy(copy: string, origin: string): void {
  const database = new Database(copy, { fileMustExist: true })
  try {
    database.pragma('journal_mode = DELETE')
    const level = Number(database.pragma('user_version', { simple: true }))
    const tables = database.prepare('SELECT name FROM sqlite_schema').pluck().all()
    if (level === 0 || !tables.includes('sync_log')) throw new OpenError(`${origin} is not a Saldo database`)
    if (level > latestLevel(migrations)) {
      throw new OpenError(
        `${origin} has schema level ${level}, this program knows ${latestLevel(migrations)}: use a newer version of Saldo`,
      )
    }
    const [finding] = database.prepare('PRAGMA integrity_check(1)').pluck().all()
    if (finding !== 'ok') throw new OpenError(`${origin} is damaged: ${finding}`)
    const [orphan] = itemsOf(database.pragma('foreign_key_check'))
    if (orphan) throw new OpenError(`${origin} is damaged: a row has no user`)
  } finally {
    database.close()
  }
}

/** Throws `OpenError` if a database was moved: backups of it would end on the day of the move. */
function refuseMoved(copy: string, origin: string): void {
  const database = new Database(copy, { fileMustExist: true })
  try {
    const moved = hasState(database) && database.prepare(`SELECT value ${OF_MOVED}`).pluck().get(MOVED)
    if (typeof moved === 'string') throw movedError(origin, moved)
  } finally {
    database.close()
  }
}

/** Makes a copy of a moved database usable again. */
function unmarkMoved(copy: string): void {
  const database = new Database(copy, { fileMustExist: true })
  try {
    if (hasState(database)) database.prepare(`DELETE ${OF_MOVED}`).run(MOVED)
  } finally {
    database.close()
  }
}

const OF_MOVED = 'FROM service_state WHERE name = ?'

/** False for databases from before level 4. */
function hasState(database: Database.Database): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'service_state'").get() !== undefined
}

function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
}

function withMessage(error: unknown, problem: string): unknown {
  const isKnown = error instanceof Database.SqliteError || (error instanceof Error && 'syscall' in error)
  if (!isKnown) return error
  const code = fieldOf(error, 'code')
  if (code === 'EEXIST') return new OpenError(`${problem}: the file exists`, { cause: error })
  return new OpenError(`${problem}: ${error.message}`, { cause: error })
}
