import type { UserNumber } from '@saldo/core'
import { ALL_USERS, type NodeShare, type RecordStore, type UserWriter } from '../store/store.ts'

/** Sends change notifications: "the user's version moved, pull now" (D5.15). They carry no data and may be lost. */
export interface ChangeNotifications {
  /** Notifies the user's listeners of a version, after the commit of the write that ended at it. */
  notify(user: UserNumber, version: number): void
  /** Calls `listener` with versions of a user, of several in quick succession only the last. Returns how to stop it. */
  subscribe(user: UserNumber, listener: VersionListener): () => void
  /** Catches up with notifications that other nodes sent and this one missed. Call it with each heartbeat. */
  heartbeat(): Promise<void>
  /** Returns which users' jobs and deliveries this node looks for: a part of them if others listen too. */
  share(): NodeShare
  close(): Promise<void>
}

/**
 * Receives versions, in any order: the highest is the newest. A version that was looked up in the database replaces all
 * earlier ones, since a fail-over or a restored backup can lower a user's version.
 */
export type VersionListener = (version: number, isLookedUp: boolean) => void

/** The shortest time between two notifications of a user (D5.17). */
const QUIET_MS = 50

/** Change notifications within one process. `after` calls `callback` once, `ms` milliseconds later. */
export class LocalNotifications implements ChangeNotifications {
  readonly #after: (ms: number, callback: () => void) => void
  readonly #listenersByUser = new Map<UserNumber, Set<VersionListener>>()
  /** The newest version of each user whose listeners were notified less than `QUIET_MS` ago. */
  readonly #newestByUser = new Map<UserNumber, number>()

  constructor(after: (ms: number, callback: () => void) => void) {
    this.#after = after
  }

  notify(user: UserNumber, version: number): void {
    const listeners = this.#listenersByUser.get(user)
    if (!listeners) return
    const newest = this.#newestByUser.get(user)
    this.#newestByUser.set(user, Math.max(newest ?? 0, version))
    if (newest !== undefined) return
    for (const listener of listeners) listener(version, false)
    this.#after(QUIET_MS, () => {
      const newest = this.#newestByUser.get(user) ?? version
      this.#newestByUser.delete(user)
      if (newest > version) this.notify(user, newest)
    })
  }

  /** Notifies listeners of the version in the database, even if it is lower than the last one. */
  notifyLookedUp(user: UserNumber, version: number): void {
    for (const listener of this.#listenersByUser.get(user) ?? []) listener(version, true)
  }

  /** Does nothing: no notification gets lost within one process. */
  async heartbeat(): Promise<void> {}

  share(): NodeShare {
    return ALL_USERS
  }

  async close(): Promise<void> {}

  users(): UserNumber[] {
    return [...this.#listenersByUser.keys()]
  }

  subscribe(user: UserNumber, listener: VersionListener): () => void {
    const listeners = this.#listenersByUser.get(user) ?? new Set()
    this.#listenersByUser.set(user, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listenersByUser.delete(user)
    }
  }
}

/** Returns the same store with a notification after each commit that moved a user's version. */
export function withNotifications(store: RecordStore, notifications: Pick<ChangeNotifications, 'notify'>): RecordStore {
  const withVersions =
    <T>(body: (writer: UserWriter) => Promise<T>) =>
    async (writer: UserWriter) => {
      const before = (await writer.position()).version
      const result = await body(writer)
      return { result, before, after: (await writer.position()).version }
    }
  const notifyIfMoved = <T>(user: UserNumber, written: { result: T; before: number; after: number }): T => {
    if (written.after !== written.before) notifications.notify(user, written.after)
    return written.result
  }
  return {
    read: (user, body) => store.read(user, body),
    write: async (user, body) => notifyIfMoved(user, await store.write(user, withVersions(body))),
    async writeIfFree(user, body) {
      const written = await store.writeIfFree(user, withVersions(body))
      if (written.outcome === 'busy') return written
      return { outcome: 'written', result: notifyIfMoved(user, written.result) }
    },
    versions: (users) => store.versions(users),
    usersWithDueJobs: (...query) => store.usersWithDueJobs(...query),
  }
}
