import pg from 'pg'
import { UnavailableError } from '../sql.ts'
import { holdBack } from './batch.ts'
import { translated } from './errors.ts'
import type { Hosts } from './hosts.ts'
import { CONNECT_TIMEOUT_MS, sessionAt } from './session.ts'
import { PostgresTransaction } from './transaction.ts'

/** The most connections of a node; one more listens. */
const MAX_CONNECTIONS = 16

/** Work that shares a connection. */
interface Sharing {
  client: Promise<pg.PoolClient>
  /** How many may still use it. */
  users: number
  /** Whether nobody knows how it stands. */
  isLost: boolean
}

/** The connections of a node that carry transactions, all to the host that takes writes. */
export class ConnectionPool {
  readonly #hosts: Hosts
  readonly #pool: pg.Pool
  /** What work of this turn may still join. */
  #open: Sharing | undefined

  /** Connects to nothing yet. */
  constructor(hosts: Hosts) {
    this.#hosts = hosts
    this.#pool = new pg.Pool({
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      // The process need not wait until a server that is gone without a word answers a farewell.
      allowExitOnIdle: true,
      Client: class extends pg.Client {
        constructor() {
          super(sessionAt(hosts.place))
        }
      },
      // The pool waits for the promise, though its types do not say so.
      onConnect: refuseStandby as (client: pg.ClientBase) => void,
    })
    // A connection that breaks fails the statements on it; between transactions nobody needs to hear of it.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => {
      client.on('error', () => undefined)
    })
  }

  /** Does work on a connection that nobody else has meanwhile. Throws `UnavailableError` where none can be had. */
  async use<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#connect()
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      // A connection of which nobody knows how it stands is not used again; with it, its transaction ends.
      client.release(error instanceof UnavailableError)
      throw error
    }
  }

  /**
   * Does work that sends all that it has to before it waits for an answer, on a connection together with other such work of the
   * same turn of the event loop: what they send leaves in one piece at its end, to be done one after another. Each sending wakes
   * the server, which costs it more than a read of a few rows does. Throws as `use` does.
   */
  async share<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    this.#open ??= this.#beginSharing()
    const sharing = this.#open
    sharing.users += 1
    const client = await sharing.client
    try {
      return await work(client)
    } catch (error) {
      sharing.isLost ||= error instanceof UnavailableError
      throw error
    } finally {
      leave(sharing, client)
    }
  }

  #beginSharing(): Sharing {
    const sharing: Sharing = { client: this.#connect(), users: 1, isLost: false }
    const end = () => {
      this.#open = undefined
    }
    sharing.client.then((client) => {
      const letGo = holdBack(client)
      setImmediate(() => {
        end()
        letGo()
        leave(sharing, client)
      })
    }, end)
    return sharing
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  async #connect(): Promise<pg.PoolClient> {
    for (let left = this.#hosts.count; ; left -= 1) {
      const { place } = this.#hosts
      const isFull = this.#pool.totalCount === MAX_CONNECTIONS && this.#pool.idleCount === 0
      try {
        return await this.#pool.connect()
      } catch (error) {
        // Who waited in vain for one of the others knows nothing of the host.
        if (!isFull) this.#hosts.leave(place)
        const cause = error instanceof UnavailableError ? error.cause : error
        if (left === 1 || this.#hosts.place === place) throw translated(cause)
      }
    }
  }
}

function leave(sharing: Sharing, client: pg.PoolClient): void {
  sharing.users -= 1
  if (sharing.users === 0) client.release(sharing.isLost)
}

/** A standby reads what is behind, and so does a server that was replaced by its standby and came back as one. */
async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const [standby] = await new PostgresTransaction(client).all('SELECT 1 WHERE pg_is_in_recovery()')
  if (standby) throw new Error('the server is a standby')
}
