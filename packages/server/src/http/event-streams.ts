import type { Writable } from 'node:stream'
import type { Instant, UserNumber } from '@saldo/core'
import type { RecordStore } from '../store/store.ts'
import type { ChangeNotifications } from '../sync/change-notifications.ts'
import type { Identification, Identity } from '../users/identification.ts'
import { ProblemError } from './problem.ts'
import type { Stream } from './route.ts'

/** The period of `heartbeat`: the streams of a session or token end within 5 seconds of it. */
export const HEARTBEAT_EVERY_MS = 4_000
/** After this many heartbeats without an event, a comment keeps the connection alive: 24 s. */
const QUIET_HEARTBEATS = 6
/** Team pages are looked at once in this many heartbeats: once a minute (D30.4). */
const TEAM_HEARTBEATS = 15
/** A client should reconnect after this time. */
const RETRY_MS = 5_000
/** A client should retry after this time if there are too many streams. */
const RETRY_AFTER_SECONDS = 30

export interface EventStreamsOptions {
  records: Pick<RecordStore, 'read'>
  notifications: Pick<ChangeNotifications, 'subscribe'>
  identification: Pick<Identification, 'stillValid'>
  /** Returns when what users see of others last changed, for those who see anybody (D30.4). */
  lastTeamChanges: (users: readonly UserNumber[]) => Promise<ReadonlyMap<UserNumber, Instant>>
  maxPerUser: number
  /** The most of one session or token: a program leaves some of those of its user to others. */
  maxPerKey: number
  maxTotal: number
}

/** The open streams of change notifications (D5.15). */
export class EventStreams {
  readonly #options: EventStreamsOptions
  readonly #open = new Set<EventStream>()
  #isClosed = false
  #heartbeats = 0

  constructor(options: EventStreamsOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#open.size
  }

  /** Opens a stream of change notifications. Throws 429 if there are too many. */
  async open(identity: Identity): Promise<Stream> {
    const { records, notifications } = this.#options
    const { user } = identity
    this.#requireRoom(identity)
    const stream: EventStream = new EventStream(identity, () => {
      unsubscribe()
      this.#open.delete(stream)
    })
    const unsubscribe = notifications.subscribe(user, (version, isLookedUp) => stream.notify(version, isLookedUp))
    this.#open.add(stream)
    if (this.#isClosed) stream.stop()
    try {
      // Reads after subscribing, so that no commit is missed in between.
      const { version } = await records.read(user, (reader) => reader.position())
      stream.notify(version)
      return stream
    } catch (error) {
      stream.stop()
      throw error
    }
  }

  /** Keeps quiet streams alive, and ends those whose session or token is no longer valid. */
  async heartbeat(): Promise<void> {
    const open = [...this.#open]
    if (open.length === 0) return
    for (const stream of open) stream.heartbeat()
    const valid = new Set(await this.#options.identification.stillValid(open.map(({ identity }) => identity)))
    for (const stream of open) if (!valid.has(stream.identity)) stream.stop()
    this.#heartbeats += 1
    if (this.#heartbeats % TEAM_HEARTBEATS === 0) await this.#notifyOfTeams()
  }

  /** Says to each stream whose user sees a change of others that the answers of the team have changed. */
  async #notifyOfTeams(): Promise<void> {
    const open = [...this.#open].filter(({ identity }) => identity.by.kind === 'session')
    if (open.length === 0) return
    const changes = await this.#options.lastTeamChanges([...new Set(open.map(({ identity }) => identity.user))])
    for (const stream of open) stream.noteTeamChange(changes.get(stream.identity.user))
  }

  /** Ends all streams, also those that are opened later. */
  close(): void {
    this.#isClosed = true
    for (const stream of this.#open) stream.stop()
  }

  #requireRoom({ user, by }: Identity): void {
    const { maxPerUser, maxPerKey, maxTotal } = this.#options
    const ofUser = [...this.#open].filter(({ identity }) => identity.user === user)
    const ofKey = ofUser.filter(({ identity }) => identity.by.id === by.id)
    if (ofUser.length < maxPerUser && ofKey.length < maxPerKey && this.#open.size < maxTotal) return
    throw new ProblemError('rate_limited', 'Too many event streams are open. Close one, or poll instead.', {
      headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    })
  }
}

/** The stream of one client. While a write is in progress, it keeps only the newest version. */
class EventStream implements Stream {
  readonly identity: Identity
  readonly #onStop: () => void
  #outgoing: Writable | undefined
  #isStopped = false
  #isWriting = false
  #quietHeartbeats = 0
  #version = 0
  #writtenVersion: number | undefined
  /** When what the user sees of others had changed at the last look; undefined before the first. */
  #teamChange: { at: Instant | undefined } | undefined
  #hasTeamEvent = false

  constructor(identity: Identity, onStop: () => void) {
    this.identity = identity
    this.#onStop = onStop
  }

  /** Announces a version. Only one that was looked up can be lower, after a fail-over or a restored backup. */
  notify(version: number, isLookedUp = false): void {
    this.#version = isLookedUp ? version : Math.max(this.#version, version)
    this.#writeVersion()
  }

  /** Announces that answers of the team have changed, unless it is the first look. */
  noteTeamChange(at: Instant | undefined): void {
    this.#hasTeamEvent ||= this.#teamChange !== undefined && this.#teamChange.at !== at
    this.#teamChange = { at }
    this.#writeTeamEvent()
  }

  begin(outgoing: Writable): void {
    if (this.#isStopped) {
      outgoing.end()
      return
    }
    this.#outgoing = outgoing
    this.#writeVersion()
  }

  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#onStop()
    // A client that does not read would not read the end either.
    if (this.#isWriting) this.#outgoing?.destroy()
    else this.#outgoing?.end()
  }

  heartbeat(): void {
    this.#quietHeartbeats += 1
    if (this.#quietHeartbeats >= QUIET_HEARTBEATS) this.#write(':\n\n')
  }

  #writeVersion(): void {
    const version = this.#version
    if (version === this.#writtenVersion) return
    const data = JSON.stringify({ version })
    const isWritten = this.#write(`retry: ${RETRY_MS}\nid: ${version}\nevent: version\ndata: ${data}\n\n`)
    if (isWritten) this.#writtenVersion = version
  }

  #writeTeamEvent(): void {
    if (this.#hasTeamEvent && this.#write('event: team\ndata: {}\n\n')) this.#hasTeamEvent = false
  }

  /** Returns false if the stream cannot write now. */
  #write(text: string): boolean {
    if (!this.#outgoing || this.#isStopped || this.#isWriting) return false
    this.#isWriting = true
    this.#quietHeartbeats = 0
    this.#outgoing.write(text, () => {
      this.#isWriting = false
      this.#writeVersion()
      this.#writeTeamEvent()
    })
    return true
  }
}
