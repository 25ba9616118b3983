import type { Point, RecordStore, UserId, UserWriter } from '../store/store.ts'

/** Tells who listens that a user's version moved: a hint to pull, never data (D5). */
export interface Hints {
  /** A write of the user was committed that ended at `version`. */
  tell(user: UserId, version: number): void
  /** Calls `listener` with a user's newest version, not with each, until the function that is returned is called. */
  subscribe(user: UserId, listener: Listener): () => void
  /** To be called with the streams', every `TEND_EVERY_MS`: looks after what others tell. */
  tend(): Promise<void>
  close(): Promise<void>
}

/**
 * Hears of versions, of which a higher one is the newer, whatever comes first; but after one that was looked up, what was heard
 * before counts no more: a fail-over or a restored copy takes versions back.
 */
export type Listener = (version: number, isLookedUp: boolean) => void

/** A user's listeners are told once in so many milliseconds at most. */
const TELL_EVERY_MS = 50

/** Hints within one process. `after` calls `work` once, `ms` milliseconds later. */
export class LocalHints implements Hints {
  readonly #after: (ms: number, work: () => void) => void
  readonly #listeners = new Map<UserId, Set<Listener>>()
  /** Of the users whose listeners have just been told, the newest version. */
  readonly #newest = new Map<UserId, number>()

  constructor(after: (ms: number, work: () => void) => void) {
    this.#after = after
  }

  tell(user: UserId, version: number): void {
    const listeners = this.#listeners.get(user)
    if (!listeners) return
    const newest = this.#newest.get(user)
    this.#newest.set(user, Math.max(newest ?? 0, version))
    if (newest !== undefined) return
    for (const listener of listeners) listener(version, false)
    this.#after(TELL_EVERY_MS, () => {
      const newest = this.#newest.get(user) ?? version
      this.#newest.delete(user)
      if (newest > version) this.tell(user, newest)
    })
  }

  /** Tells listeners what stands, also where it is less than they were told. */
  tellLookedUp(user: UserId, version: number): void {
    for (const listener of this.#listeners.get(user) ?? []) listener(version, true)
  }

  /** Within one process nothing gets lost. */
  async tend(): Promise<void> {}

  async close(): Promise<void> {}

  /** Those who have listeners. */
  users(): UserId[] {
    return [...this.#listeners.keys()]
  }

  subscribe(user: UserId, listener: Listener): () => void {
    const listeners = this.#listeners.get(user) ?? new Set()
    this.#listeners.set(user, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(user)
    }
  }
}

/** The same store, which tells of every commit that moved a user's version. */
export function hinting(store: RecordStore, hints: Pick<Hints, 'tell'>): RecordStore {
  const noting =
    <T>(body: (writer: UserWriter) => Promise<T>) =>
    async (writer: UserWriter) => {
      const before = await writer.point()
      const result = await body(writer)
      return { result, before, after: await writer.point() }
    }
  const tell = <T>(user: UserId, { result, before, after }: { result: T; before: Point; after: Point }): T => {
    if (after.version !== before.version) hints.tell(user, after.version)
    return result
  }
  return {
    read: (...asked) => store.read(...asked),
    write: async (user, body) => tell(user, await store.write(user, noting(body))),
    async writeIfFree(user, body) {
      const written = await store.writeIfFree(user, noting(body))
      return written && tell(user, written)
    },
    usersWithDueJobs: (...query) => store.usersWithDueJobs(...query),
  }
}
