import pg from 'pg'
import { UnavailableError } from '../../errors.ts'
import { isServerBehindLost, translated } from './errors.ts'
import type { Hosts, Place } from './hosts.ts'

/** The most time to wait for a connection, new or given back by another transaction, in milliseconds. */
export const CONNECT_TIMEOUT_MS = 5_000
/** The most time for a statement and for its wait for a lock, in milliseconds. */
const STATEMENT_TIMEOUT_MS = 20_000
const LOCK_TIMEOUT_MS = 10_000
/** The server releases the locks of a node that stops during a transaction after this time. */
const IDLE_TIMEOUT_MS = 10_000
/** The most time to wait for a server that does not answer at all, in milliseconds. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000

/**
 * Settings of a session. Every statement finds its rows by a key or along an index. These settings keep the plans that
 * way, whatever the server's statistics say about tables that are young or whose users differ in size: no hash or merge
 * joins, no sorting of what an index has in order, and one plan for all values.
 */
const PLANNING = {
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_sort: 'off',
  enable_incremental_sort: 'off',
  enable_seqscan: 'off',
  jit: 'off',
}
const SESSION = {
  ...PLANNING,
  plan_cache_mode: 'force_generic_plan',
  // Statements outside a transaction only read.
  default_transaction_read_only: 'on',
}

/** Settings of a distributed database, for the sessions at its workers, which the coordinator opens. */
export const DATABASE_SETTINGS = {
  ...PLANNING,
  // It is there that statements wait for locks.
  lock_timeout: `${LOCK_TIMEOUT_MS}ms`,
  'citus.node_connection_timeout': `${CONNECT_TIMEOUT_MS}ms`,
}

/** Reads 64-bit integers as numbers: the store keeps them within 2^53 − 1. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

/** Returns the configuration of a connection. The URL can override it except where plans rely on it. */
export function sessionAt(place: Place): pg.ClientConfig {
  return {
    application_name: 'saldo',
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    pipeline: true,
    types,
    ...place,
    // The last of several settings with one name wins.
    options: [place.options, ...Object.entries(SESSION).map(([name, value]) => `-c ${name}=${value}`)].join(' '),
  }
}

/** The most connections for transactions, unless it is set. */
export const DEFAULT_CONNECTIONS = 16

/** True unless the state of the connection on which the error came is unknown: closing it ends its transaction. */
export function keepsConnection(error: unknown): boolean {
  return !(error instanceof UnavailableError) || isServerBehindLost(error)
}

/** The connections of a node for transactions, all to the host that takes writes. */
export class ConnectionPool {
  readonly #hosts: Hosts
  readonly #connections: number
  readonly #pool: pg.Pool
  #hasCitus = false

  /** Does not connect yet. */
  constructor(hosts: Hosts, connections: number) {
    this.#hosts = hosts
    this.#connections = connections
    this.#pool = new pg.Pool({
      max: connections,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      // The process need not wait for the farewell of a server that does not answer.
      allowExitOnIdle: true,
      Client: class extends pg.Client {
        constructor() {
          super(sessionAt(hosts.place))
        }
      },
      // The pool waits for the promise, though its types do not say so.
      // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- no-misused-promises needs it
      onConnect: ((client) => this.#prepare(client)) as (client: pg.ClientBase) => void,
    })
    // The statements on a broken connection fail by themselves; an idle one is replaced.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => {
      client.on('error', () => undefined)
    })
  }

  /** True if the server of the newest connection has the extension Citus in the database. */
  get hasCitus(): boolean {
    return this.#hasCitus
  }

  /** Runs work that has a connection to itself. Throws `UnavailableError` if no connection can be had. */
  async use<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#connect()
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      client.release(!keepsConnection(error))
      throw error
    }
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  /**
   * Refuses a standby, which may lag behind, as may a former primary that came back as one. Where Citus is installed,
   * lets it plan with the values of a statement, without which it cannot find the server of a user, and use one
   * connection to each of its servers. All of it takes one round trip.
   */
  async #prepare(client: pg.ClientBase): Promise<void> {
    const { rows } = await client.query<{ standby: boolean; citus: string | null }>(
      `SELECT pg_is_in_recovery() AS standby, (
         SELECT set_config('plan_cache_mode', 'auto', false)
           || set_config('citus.multi_shard_modify_mode', 'sequential', false)
         FROM pg_extension WHERE extname = 'citus') AS citus`,
    )
    const [session] = rows
    if (session?.standby !== false) throw new Error('the server is a standby')
    this.#hasCitus = session.citus !== null
  }

  async #connect(): Promise<pg.PoolClient> {
    for (let left = this.#hosts.count; ; left -= 1) {
      const { place } = this.#hosts
      const isFull = this.#pool.totalCount === this.#connections && this.#pool.idleCount === 0
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
