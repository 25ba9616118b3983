import pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import { OpenError } from '../sql.ts'

/** How the driver is told where a database is. */
export type Place = pg.ClientConfig

/** The hosts of a database, of which one takes writes at a time: who finds that it is not this one goes to the next. */
export class Hosts {
  readonly #places: readonly Place[]
  /** The place of the database without its password. */
  readonly name: string
  #at = 0

  /**
   * Reads the URL, and the files of certificates that it names, so that they need not be there later. Throws `OpenError` where
   * that cannot be done.
   */
  constructor(url: string) {
    const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
    // Else a part of the password would be taken for a host or a database, and told as its name.
    if (after.includes('@')) {
      throw new OpenError('the URL of the database is not valid: characters such as / in a password are written as %2F')
    }
    try {
      this.#places = hosts.split(',').map((host) => parseIntoClientConfig(before + host + verifying(after)))
      const clients = this.#places.map((place) => new pg.Client(place))
      const names = clients.map(({ host, port }) => `${host}:${port}`)
      this.name = `the database ${clients[0]?.database} on ${names.join(' or ')}`
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new OpenError(`the URL of the database is not valid: ${reason}`, { cause: error })
    }
  }

  get count(): number {
    return this.#places.length
  }

  /** The host to go to. */
  get place(): Place {
    return this.#places[this.#at] as Place
  }

  /** To be called with a place that could not be used; of several that meet that at once, one goes on. */
  leave(place: Place): void {
    if (place === this.place) this.#at = (this.#at + 1) % this.#places.length
  }
}

/**
 * Whoever asks for TLS is connected to a server whose certificate holds. So the driver has it too, but warns of a later version of
 * itself, unless its own words for that are used.
 */
function verifying(settings: string): string {
  if (settings.includes('uselibpqcompat=')) return settings
  return settings.replace(/(?<=[?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, 'verify-full')
}
