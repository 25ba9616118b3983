import type { FeedRow, Instant, UserNumber } from '@saldo/core'
import type { SqlDriver } from '../sql.ts'
import type { SecretKey } from './user-rows.ts'

const COLUMNS = 'id, name, absences, work, group_id, language, created_at, last_used_at'

type StoredRow = Omit<FeedRow, 'absences' | 'work'> & { absences: number; work: number }

/** The calendar feeds of users, with the hashes of their addresses. */
export class FeedStore {
  readonly #driver: SqlDriver

  constructor(driver: SqlDriver) {
    this.#driver = driver
  }

  async add({ user, hash }: SecretKey, feed: FeedRow): Promise<void> {
    const { id, name, absences, work, group_id, language, created_at } = feed
    await this.#driver.run(
      `INSERT INTO calendar_feeds (user_id, id, name, hash, absences, work, group_id, language, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [user, id, name, hash, Number(absences), Number(work), group_id, language, created_at],
    )
  }

  /** Returns the user's feeds, the newest first. */
  async list(user: UserNumber): Promise<FeedRow[]> {
    const rows = await this.#driver.all<StoredRow>(
      `SELECT ${COLUMNS} FROM calendar_feeds WHERE user_id = $1 ORDER BY created_at DESC, id`,
      [user],
    )
    return rows.map(feedOf)
  }

  /** Finds a feed of an active user by its secret. */
  async find({ user, hash }: SecretKey): Promise<{ user: UserNumber; feed: FeedRow } | undefined> {
    const [row] = await this.#driver.all<StoredRow>(
      `SELECT ${COLUMNS} FROM calendar_feeds WHERE user_id = $1 AND hash = $2
         AND EXISTS (SELECT 1 FROM users WHERE id = $1 AND deactivated_at IS NULL)`,
      [user, hash],
    )
    return row && { user, feed: feedOf(row) }
  }

  async noteUse(user: UserNumber, id: string, at: Instant): Promise<void> {
    await this.#driver.run('UPDATE calendar_feeds SET last_used_at = $3 WHERE user_id = $1 AND id = $2', [user, id, at])
  }

  /** Revokes a feed; false if the user has no feed with that id. */
  async revoke(user: UserNumber, id: string): Promise<boolean> {
    return (await this.#driver.run('DELETE FROM calendar_feeds WHERE user_id = $1 AND id = $2', [user, id])) > 0
  }
}

function feedOf({ absences, work, ...row }: StoredRow): FeedRow {
  return { ...row, absences: absences === 1, work: work === 1 }
}
