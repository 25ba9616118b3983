import type { Writable } from 'node:stream'
import type { RecordStore, UserId } from '../store/store.ts'
import type { ChangeNotifications } from '../sync/change-notifications.ts'
import type { Auth, Identity } from '../users/auth.ts'
import { ProblemError } from './problem.ts'
import type { Stream } from './route.ts'

/** How often the streams are to be tended, in milliseconds: the end of a session or a token ends its streams in 5 s. */
export const TEND_EVERY_MS = 4_000
/** After so many rounds without an event, a comment shows that the connection is alive: 24 s. */
const QUIET_ROUNDS = 6
/** When a client that lost its stream is to come again, in milliseconds. */
const RETRY_MS = 5_000
/** The same where there are too many streams, in seconds. */
const RETRY_AFTER = '30'

export interface EventStreamsOptions {
  records: RecordStore
  notifications: ChangeNotifications
  auth: Pick<Auth, 'standing'>
  /** The most streams of one user. */
  maxOfUser: number
  maxOfProcess: number
}

/** The open streams of change notifications (D5.15). */
export class EventStreams {
  readonly #options: EventStreamsOptions
  readonly #open = new Set<EventStream>()
  #isClosed = false

  constructor(options: EventStreamsOptions) {
    this.#options = options
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size
  }

  /** Opens a stream of change notifications. Answers 429 if too many are open (D5.24). */
  async open(identity: Identity): Promise<Stream> {
    const { records, notifications } = this.#options
    const { user } = identity
    this.#requireRoom(user)
    const stream: EventStream = new EventStream(identity, () => {
      unsubscribe()
      this.#open.delete(stream)
    })
    const unsubscribe = notifications.subscribe(user, (version, isLookedUp) => stream.tell(version, isLookedUp))
    this.#open.add(stream)
    if (this.#isClosed) stream.stop()
    try {
      // Only now, so that no commit falls between.
      const { version } = await records.read(user, (reader) => reader.point())
      stream.tell(version)
      return stream
    } catch (error) {
      stream.stop()
      throw error
    }
  }

  /** Keeps quiet streams alive, and ends those whose session or token has ended. */
  async tend(): Promise<void> {
    const open = [...this.#open]
    if (open.length === 0) return
    for (const stream of open) stream.passRound()
    const standing = new Set(await this.#options.auth.standing(open.map(({ identity }) => identity)))
    for (const stream of open) if (!standing.has(stream.identity)) stream.stop()
  }

  /** Ends all streams, and from now on each as it begins. */
  close(): void {
    this.#isClosed = true
    for (const stream of this.#open) stream.stop()
  }

  #requireRoom(user: UserId): void {
    const { maxOfUser, maxOfProcess } = this.#options
    let ofUser = 0
    for (const { identity } of this.#open) if (identity.user === user) ofUser += 1
    if (ofUser < maxOfUser && this.#open.size < maxOfProcess) return
    throw new ProblemError('rate_limited', 'Too many event streams are open; pull from time to time instead.', {
      headers: { 'retry-after': RETRY_AFTER },
    })
  }
}

/** One client's stream. It writes nothing before the last has left: of the notifications that come meanwhile, the newest is kept. */
class EventStream implements Stream {
  readonly identity: Identity
  readonly #onStop: () => void
  #outgoing: Writable | undefined
  #isStopped = false
  #isWriting = false
  #quietRounds = 0
  #version = 0
  #written: number | undefined

  constructor(identity: Identity, onStop: () => void) {
    this.identity = identity
    this.#onStop = onStop
  }

  tell(version: number, isLookedUp = false): void {
    this.#version = isLookedUp ? version : Math.max(this.#version, version)
    this.#writeNews()
  }

  begin(outgoing: Writable): void {
    if (this.#isStopped) {
      outgoing.end()
      return
    }
    this.#outgoing = outgoing
    this.#writeNews()
  }

  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#onStop()
    // Who does not read would not read the end either.
    if (this.#isWriting) this.#outgoing?.destroy()
    else this.#outgoing?.end()
  }

  passRound(): void {
    this.#quietRounds += 1
    if (this.#quietRounds >= QUIET_ROUNDS) this.#write(':\n\n')
  }

  #writeNews(): void {
    const version = this.#version
    if (version === this.#written) return
    const isOnItsWay = this.#write(
      `retry: ${RETRY_MS}\nid: ${version}\nevent: version\ndata: ${JSON.stringify({ version })}\n\n`,
    )
    if (isOnItsWay) this.#written = version
  }

  /** Writes where that can be done now. */
  #write(text: string): boolean {
    if (!this.#outgoing || this.#isStopped || this.#isWriting) return false
    this.#isWriting = true
    this.#quietRounds = 0
    this.#outgoing.write(text, () => {
      this.#isWriting = false
      this.#writeNews()
    })
    return true
  }
}
