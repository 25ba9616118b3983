import pg from 'pg'
import { UnavailableError } from '../../errors.ts'
import type { AnnouncementListener, Listening } from '../sql.ts'
import type { Hosts } from './hosts.ts'
import { CONNECT_TIMEOUT_MS } from './pool.ts'

/** By this name, a connection on which a running service listens is known to others. */
export const LISTENER_NAME = 'saldo service'
export const CHANNEL = 'saldo_announcements'
const LISTENERS = `SELECT pid = pg_backend_pid() AS "isOwn" FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = '${LISTENER_NAME}' ORDER BY backend_start, pid`
/** The delay before a lost connection is opened again, and the interval of checks that it is alive, in milliseconds. */
const LISTEN_AGAIN_MS = 250
const ASK_EVERY_MS = 10_000

/** Listens on a connection, and on a new one if it is lost. */
export class PostgresListening implements Listening {
  readonly #hosts: Hosts
  readonly #listener: AnnouncementListener
  #client: pg.Client | undefined
  #again: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(hosts: Hosts, listener: AnnouncementListener) {
    this.#hosts = hosts
    this.#listener = listener
    this.#begin()
  }

  /** Asks on its own connection, where the server knows it. */
  async place(): Promise<{ index: number; of: number }> {
    const listeners = await this.#client?.query<{ isOwn: boolean }>(LISTENERS).then(
      ({ rows }) => rows,
      // The connection is lost, or hardly begun: another is coming.
      () => [],
    )
    const index = listeners?.findIndex(({ isOwn }) => isOwn) ?? -1
    return listeners === undefined || index === -1 ? { index: 0, of: 1 } : { index, of: listeners.length }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#again)
    // A server that has disappeared would not answer a farewell.
    this.#client?.connection.stream.destroy()
  }

  #begin(): void {
    const { place } = this.#hosts
    const client = new pg.Client({
      application_name: LISTENER_NAME,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      pipeline: true,
      ...place,
    })
    this.#client = client
    let isListening = false
    // If the server has disappeared, this query times out and ends the connection.
    const asking = setInterval(() => void client.query('SELECT 1').catch(lose), ASK_EVERY_MS)
    const lose = (error: unknown): void => {
      if (this.#client !== client) return
      this.#client = undefined
      clearInterval(asking)
      void client.end()
      if (this.#isClosed) return
      if (!isListening) this.#hosts.leave(place)
      this.#listener.onDisconnect(new UnavailableError('unavailable', { cause: error }))
      this.#again = setTimeout(() => this.#begin(), LISTEN_AGAIN_MS)
    }
    client.on('error', lose)
    client.on('end', () => lose(new Error('the connection has ended')))
    client.on('notification', ({ payload = '' }) => this.#listener.onAnnouncement(payload))
    const begun = client.connect().then(() => client.query(`LISTEN ${CHANNEL}`))
    begun.then(() => {
      isListening = true
      this.#listener.onConnect()
    }, lose)
  }
}
