import * as v from 'valibot'
import type { Announcements } from '../store/sql.ts'
import { type RecordStore, UnknownUserError, type UserId } from '../store/store.ts'
import { type Hints, type Listener, LocalHints } from './hints.ts'

/** What is to be told to the other nodes is gathered so long, in milliseconds. */
const GATHER_MS = 50
/** As many users as fit into one announcement, whose length is limited, with numbers of any size. */
const USERS_AT_ONCE = 200
/** After so many rounds of `tend` it is looked whether something got lost: 28 s. */
const LOOK_ROUNDS = 7
/** How many users are looked up at once. */
const LOOKS_AT_ONCE = 4

/** Which node tells, and users with their versions. */
const Announcement = v.pipe(
  v.string(),
  v.parseJson(),
  v.tupleWithRest([v.string()], v.strictTuple([v.number(), v.number()])),
)

export interface NodeHintsOptions {
  announcements: Announcements
  records: RecordStore
  /** Tells this node's announcements from others'. */
  node: string
  /** Calls `work` once, `ms` milliseconds later. */
  after(ms: number, work: () => void): void
  onFailure(error: unknown): void
}

/**
 * Hints between the nodes of one database. What got lost, because nobody listened or nothing could be sent, is caught up
 * with: the versions of those who listen here are looked up when listening begins again, and every half minute.
 */
export class NodeHints implements Hints {
  readonly #options: NodeHintsOptions
  readonly #local: LocalHints
  readonly #listening: { close(): Promise<void> }
  #gathered = new Map<UserId, number>()
  #rounds = 0
  #looking: Promise<void> | undefined

  constructor(options: NodeHintsOptions) {
    this.#options = options
    this.#local = new LocalHints(options.after)
    this.#listening = options.announcements.listen({
      hear: (text) => this.#hear(text),
      begin: () => void this.#lookUp(),
      lose: options.onFailure,
    })
  }

  tell(user: UserId, version: number): void {
    this.#local.tell(user, version)
    if (this.#gathered.size === 0) this.#options.after(GATHER_MS, () => void this.#announce())
    this.#gathered.set(user, Math.max(version, this.#gathered.get(user) ?? 0))
  }

  subscribe(user: UserId, listener: Listener): () => void {
    return this.#local.subscribe(user, listener)
  }

  async tend(): Promise<void> {
    this.#rounds = (this.#rounds + 1) % LOOK_ROUNDS
    if (this.#rounds === 0) await this.#lookUp()
  }

  async close(): Promise<void> {
    await this.#listening.close()
    await this.#announce()
    await this.#looking
  }

  async #announce(): Promise<void> {
    const versions = [...this.#gathered]
    this.#gathered = new Map()
    if (versions.length === 0) return
    const texts: string[] = []
    for (let from = 0; from < versions.length; from += USERS_AT_ONCE) {
      texts.push(JSON.stringify([this.#options.node, ...versions.slice(from, from + USERS_AT_ONCE)]))
    }
    // What cannot be told is found by the others' next look.
    await this.#options.announcements.announce(texts).catch(this.#options.onFailure)
  }

  #hear(text: string): void {
    const read = v.safeParse(Announcement, text)
    // Whoever can connect to the database can say anything there.
    if (!read.success) return
    const [node, ...versions] = read.output
    if (node === this.#options.node) return
    for (const [user, version] of versions) this.#local.tell(user, version)
  }

  /** Looks up the versions of those who listen. Never rejects; while it runs already, the same run is returned. */
  #lookUp(): Promise<void> {
    this.#looking ??= this.#look()
      .catch(this.#options.onFailure)
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  async #look(): Promise<void> {
    const users = this.#local.users().values()
    // They take from one list.
    const looks = Array.from({ length: LOOKS_AT_ONCE }, async () => {
      for (const user of users) this.#local.tellLookedUp(user, await this.#versionOf(user))
    })
    await Promise.all(looks)
  }

  async #versionOf(user: UserId): Promise<number> {
    try {
      return await this.#options.records.read(user, async (reader) => (await reader.point()).version)
    } catch (error) {
      // Deleted; the stream ends with the session.
      if (error instanceof UnknownUserError) return 0
      throw error
    }
  }
}
