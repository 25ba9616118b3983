import { epochMs, type FeedContent, type FeedRow, instantOf, MINUTE_MS, type UserNumber } from '@saldo/core'
import { FeedStore } from '../store/users/feeds.ts'
import type { AuthOptions } from './auth-options.ts'
import { ignoreUnavailable, newSecret, secretKeyOf } from './secret.ts'

/** Makes an address recognisable where it should not be, and differs from the prefix of tokens. */
const SECRET_PREFIX = 'feed_'
/** The use of a feed is noted once in this time, because a request must cost no write. */
const USE_STEP_MS = 15 * MINUTE_MS

/** The path of feeds; the name of the file is their secret. */
export const FEED_PATH = '/api/calendar'

/** Calendar feeds. Whoever knows the secret in the address of one can read it; it opens nothing else. */
export class CalendarFeeds {
  /** The stored feeds, to be listed and revoked. */
  readonly store: FeedStore
  readonly #options: Pick<AuthOptions, 'clock' | 'random'>

  constructor(options: Pick<AuthOptions, 'driver' | 'clock' | 'random'>) {
    this.#options = options
    this.store = new FeedStore(options.driver)
  }

  /** Creates a feed. Only the hash of its secret is stored, so the path of its address cannot be shown again. */
  async create(user: UserNumber, name: string, content: FeedContent): Promise<{ feed: FeedRow; path: string }> {
    const { clock, random } = this.#options
    const { secret, key } = newSecret(random, SECRET_PREFIX, user)
    const created_at = instantOf(clock.now())
    const feed = { id: random.uuid(), name, ...content, created_at, last_used_at: null }
    await this.store.add(key, feed)
    return { feed, path: `${FEED_PATH}/${secret}.ics` }
  }

  /** Returns the feed with a secret and notes its use; `undefined` if there is none. */
  async find(secret: string): Promise<{ user: UserNumber; feed: FeedRow } | undefined> {
    const key = secretKeyOf(SECRET_PREFIX, secret)
    const found = key && (await this.store.find(key))
    if (!found) return undefined
    const { user, feed } = found
    const nowMs = this.#options.clock.now()
    const unnotedMs = feed.last_used_at === null ? Infinity : Math.abs(nowMs - epochMs(feed.last_used_at))
    if (unnotedMs >= USE_STEP_MS) await this.store.noteUse(user, feed.id, instantOf(nowMs)).catch(ignoreUnavailable)
    return found
  }
}
