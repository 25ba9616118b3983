import pg from 'pg'
import { OpenError } from '../sql.ts'

/** The hosts of a database, of which one takes writes at a time: who finds that it is not this one goes to the next. */
export class Hosts {
  readonly #urls: readonly string[]
  /** The place of the database without its password. */
  readonly name: string
  #at = 0

  /** Throws `OpenError` where the URL makes no sense. */
  constructor(url: string) {
    const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
    this.#urls = hosts.split(',').map((host) => before + host + after)
    try {
      const clients = this.#urls.map((each) => new pg.Client(each))
      const places = clients.map(({ host, port }) => `${host}:${port}`)
      this.name = `the database ${clients[0]?.database} on ${places.join(' or ')}`
    } catch (error) {
      throw new OpenError('the URL of the database is not valid', { cause: error })
    }
  }

  get count(): number {
    return this.#urls.length
  }

  /** With the host to go to. */
  get url(): string {
    return this.#urls[this.#at] as string
  }

  /** To be called with a URL whose host could not be used; of several that meet that at once, one goes on. */
  leave(url: string): void {
    if (url === this.url) this.#at = (this.#at + 1) % this.#urls.length
  }
}
