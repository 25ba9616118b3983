import { type EpochMs, type Instant, instantOf } from '@saldo/core'
import { OpenError } from '../errors.ts'
import type { SqlDriver } from './sql.ts'

/** The name of the value that says where and when a database was moved. */
export const MOVED = 'moved'
const LAST_BACKUP = 'last_backup'
/** Names of acts begin with this. */
const ACT = 'act '
/** The range of their names. */
const ACTS = [ACT, 'act!']

/** Values that the service keeps by name, shared by all nodes. */
export class StoredServiceState {
  readonly #driver: Pick<SqlDriver, 'all' | 'run' | 'write'>

  constructor(driver: Pick<SqlDriver, 'all' | 'run' | 'write'>) {
    this.#driver = driver
  }

  async get(name: string): Promise<string | undefined> {
    const [row] = await this.#driver.all<{ value: string }>('SELECT value FROM service_state WHERE name = $1', [name])
    return row?.value
  }

  async set(name: string, value: string): Promise<void> {
    await this.#driver.run(
      'INSERT INTO service_state (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      [name, value],
    )
  }

  /** Keeps an act of a command until a service takes it. */
  addAct(id: string, act: string): Promise<void> {
    return this.set(`${ACT}${id}`, act)
  }

  /** Returns the acts that commands have left, each once among all nodes, and removes them. */
  async takeActs(): Promise<string[]> {
    const found = await this.#driver.all('SELECT 1 FROM service_state WHERE name >= $1 AND name < $2 LIMIT 1', ACTS)
    if (found.length === 0) return []
    return this.#driver.write(async (sql) => {
      const rows = await sql.all<{ value: string }>(
        'DELETE FROM service_state WHERE name >= $1 AND name < $2 RETURNING value',
        ACTS,
      )
      return rows.map(({ value }) => value)
    })
  }

  /** Notes that a backup is complete. */
  noteBackup(nowMs: EpochMs): Promise<void> {
    return this.set(LAST_BACKUP, instantOf(nowMs))
  }

  /** Returns when `saldo admin backup` last completed; null if never, or where other programs make backups. */
  async lastBackup(): Promise<Instant | null> {
    return ((await this.get(LAST_BACKUP)) as Instant | undefined) ?? null
  }

  /** Marks the database as moved: from now on, `requireNotMoved` refuses it. `to` names the other database. */
  markAsMoved(to: string, nowMs: EpochMs): Promise<void> {
    return this.set(MOVED, `${to} on ${instantOf(nowMs).slice(0, 10)}`)
  }

  /** Throws `OpenError` if the database was moved, so that nothing goes on with it by mistake. */
  async requireNotMoved(file: string): Promise<void> {
    const moved = await this.get(MOVED)
    if (moved !== undefined) throw movedError(file, moved)
  }
}

/** Returns the error of a database that was moved; `moved` is the value of its mark. */
export function movedError(file: string, moved: string): OpenError {
  return new OpenError(
    `${file} was moved to ${moved}: set SALDO_DATABASE_URL; to use the file again, run «saldo admin restore ${file}»`,
  )
}
