import pg from 'pg'
import { UnavailableError } from '../sql.ts'
import { translated } from './errors.ts'
import type { Hosts } from './hosts.ts'
import { CONNECT_TIMEOUT_MS, sessionAt } from './session.ts'

/** The most connections of a node for transactions; one more listens. */
const MAX_CONNECTIONS = 16

/** The connections of a node for transactions, all to the host that takes writes. */
export class ConnectionPool {
  readonly #hosts: Hosts
  readonly #pool: pg.Pool

  /** Does not connect yet. */
  constructor(hosts: Hosts) {
    this.#hosts = hosts
    this.#pool = new pg.Pool({
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      // The process need not wait for the farewell of a server that does not answer.
      allowExitOnIdle: true,
      Client: class extends pg.Client {
        constructor() {
          super(sessionAt(hosts.place))
        }
      },
      // The pool waits for the promise, though its types do not say so.
      onConnect: refuseStandby as (client: pg.ClientBase) => void,
    })
    // The statements on a broken connection fail by themselves; an idle one is replaced.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => {
      client.on('error', () => undefined)
    })
  }

  /** Runs work that has a connection to itself. Throws `UnavailableError` if no connection can be had. */
  async use<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#connect()
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      // The state of the connection may be unknown. Closing it also ends its transaction.
      client.release(error instanceof UnavailableError)
      throw error
    }
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
        // A time-out while all connections are in use says nothing about the host.
        if (!isFull) this.#hosts.leave(place)
        const cause = error instanceof UnavailableError ? error.cause : error
        if (left === 1 || this.#hosts.place === place) throw translated(cause)
      }
    }
  }
}

/** A standby may lag behind, and so may a former primary that came back as a standby. */
async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('SELECT 1 WHERE pg_is_in_recovery()')
  if (rows.length > 0) throw new Error('the server is a standby')
}
