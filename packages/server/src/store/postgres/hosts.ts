import { itemAt } from '@saldo/core'
import pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import { OpenError } from '../../errors.ts'

export type Place = pg.ClientConfig

/** The hosts of a database, one of which takes writes. If the current one does not, the next one is tried. */
export class Hosts {
  readonly #places: readonly Place[]
  /** The place of the database without its password. */
  readonly name: string
  #at = 0

  /** Reads the URL and the certificate files that it names. Throws `OpenError` if that fails. */
  constructor(url: string) {
    const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
    // Otherwise a part of the password would be taken for a host or a database and printed as its name.
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

  get place(): Place {
    return itemAt(this.#places, this.#at)
  }

  /** Goes on to the next host, unless another caller has done so since `place` was read. */
  leave(place: Place): void {
    if (place === this.place) this.#at = (this.#at + 1) % this.#places.length
  }
}

/** Verifies certificates in every TLS mode. The driver does too, but warns in modes other than `verify-full`. */
function verifying(settings: string): string {
  if (settings.includes('uselibpqcompat=')) return settings
  return settings.replace(/(?<=[?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, 'verify-full')
}
