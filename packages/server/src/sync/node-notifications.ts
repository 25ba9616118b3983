import { type DurationMs, isUserNumber, type UserNumber } from '@saldo/core'
import * as v from 'valibot'
import type { Announcements, Listening } from '../store/sql.ts'
import { ALL_USERS, type NodeShare, type RecordStore } from '../store/store.ts'
import { type ChangeNotifications, LocalNotifications, type VersionListener } from './change-notifications.ts'

/** The time for which a node gathers versions at least before it announces them to others. */
const GATHER_MS = 50
/** Of so many milliseconds for each node: all nodes together announce at most 200 times a second. */
const GATHER_MS_PER_NODE = 5
/** The most users of one announcement, whose length the engine limits; it fits with numbers of any size. */
const USERS_PER_ANNOUNCEMENT = 200
/** The number of heartbeats after which versions are looked up: 28 s. */
const HEARTBEATS_PER_LOOKUP = 7

/**
 * Returns the time for which each of several nodes gathers versions (D5.26). The server hands each announcement to each
 * node, so the work for announcements grows with the nodes, and not with their square.
 */
export function gatherMs(nodes: number): DurationMs {
  return Math.max(GATHER_MS, GATHER_MS_PER_NODE * nodes)
}

/** The node that announces, and users with their versions. */
const Announcement = v.pipe(
  v.string(),
  v.parseJson(),
  v.tupleWithRest([v.string()], v.strictTuple([v.pipe(v.number(), v.guard(isUserNumber)), v.number()])),
)

export interface NodeNotificationsOptions {
  announcements: Announcements
  records: Pick<RecordStore, 'versions'>
  /** Distinguishes this node's announcements from those of others. */
  node: string
  /** Calls `callback` once, `ms` milliseconds later. */
  after(ms: number, callback: () => void): void
  onFailure(error: unknown): void
}

/**
 * Change notifications between the nodes of one database (D5.18). An announcement can get lost, so the versions of the
 * users who listen here are looked up whenever listening begins again, and every half minute (D5.19).
 */
export class NodeNotifications implements ChangeNotifications {
  readonly #options: NodeNotificationsOptions
  readonly #local: LocalNotifications
  readonly #listening: Listening
  #gatheredByUser = new Map<UserNumber, number>()
  #heartbeats = 0
  #share = ALL_USERS
  #lookup: Promise<void> | undefined
  /** The users of whom a version was notified while versions are looked up: what is found of them may be older. */
  #notifiedDuringLookup: Set<UserNumber> | undefined

  constructor(options: NodeNotificationsOptions) {
    this.#options = options
    this.#local = new LocalNotifications(options.after)
    this.#listening = options.announcements.listen({
      onAnnouncement: (text) => this.#receive(text),
      onConnect: () => void this.#lookUp(),
      onDisconnect: options.onFailure,
    })
  }

  notify(user: UserNumber, version: number): void {
    this.#notifyHere(user, version)
    if (this.#gatheredByUser.size === 0) this.#options.after(gatherMs(this.#share.of), () => void this.#announce())
    this.#gatheredByUser.set(user, Math.max(version, this.#gatheredByUser.get(user) ?? 0))
  }

  subscribe(user: UserNumber, listener: VersionListener): () => void {
    return this.#local.subscribe(user, listener)
  }

  async heartbeat(): Promise<void> {
    this.#heartbeats += 1
    if (this.#heartbeats % HEARTBEATS_PER_LOOKUP !== 0) return
    await Promise.all([this.#lookUp(), this.#findShare()])
  }

  /** Nodes that begin or end change the shares within a look-up of all others; meanwhile two may look for the same. */
  share(): NodeShare {
    return this.#share
  }

  async close(): Promise<void> {
    await this.#listening.close()
    await this.#announce()
    await this.#lookup
  }

  async #findShare(): Promise<void> {
    this.#share = await this.#listening.place()
  }

  async #announce(): Promise<void> {
    const versions = [...this.#gatheredByUser]
    this.#gatheredByUser = new Map()
    if (versions.length === 0) return
    const texts: string[] = []
    for (let from = 0; from < versions.length; from += USERS_PER_ANNOUNCEMENT) {
      texts.push(JSON.stringify([this.#options.node, ...versions.slice(from, from + USERS_PER_ANNOUNCEMENT)]))
    }
    // The other nodes find a lost announcement by their next look-up.
    await this.#options.announcements.announce(texts).catch(this.#options.onFailure)
  }

  #receive(text: string): void {
    const parsed = v.safeParse(Announcement, text)
    // Every program that is connected to the database can announce anything.
    if (!parsed.success) return
    const [node, ...versions] = parsed.output
    if (node === this.#options.node) return
    for (const [user, version] of versions) this.#notifyHere(user, version)
  }

  #notifyHere(user: UserNumber, version: number): void {
    this.#notifiedDuringLookup?.add(user)
    this.#local.notify(user, version)
  }

  /** Looks up the versions of the users who listen here. Never rejects; a call during a look-up returns that one. */
  #lookUp(): Promise<void> {
    this.#lookup ??= this.#lookUpAll()
      .catch(this.#options.onFailure)
      .finally(() => {
        this.#lookup = undefined
        this.#notifiedDuringLookup = undefined
      })
    return this.#lookup
  }

  /** Where the database is distributed, a server that fails keeps back only its own users. */
  async #lookUpAll(): Promise<void> {
    const users = this.#local.users()
    if (users.length === 0) return
    const notified = new Set<UserNumber>()
    this.#notifiedDuringLookup = notified
    for (const result of await this.#options.records.versions(users)) {
      if (result.status === 'rejected') this.#options.onFailure(result.reason)
      else {
        for (const [user, version] of result.value) {
          if (!notified.has(user)) this.#local.notifyLookedUp(user, version)
        }
      }
    }
  }
}
