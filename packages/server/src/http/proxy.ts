import type { IncomingMessage } from 'node:http'

/** UUIDs, hexadecimal digits and the like, as proxies make them. */
const REQUEST_ID = /^[\w.:-]{8,128}$/

/** Reads what trusted proxies say about a request; `trustedProxies` is their number. */
export class TrustedProxies {
  readonly #trustedProxies: number

  constructor(trustedProxies: number) {
    this.#trustedProxies = trustedProxies
  }

  /** Returns the request id of a trusted proxy, so that its log and ours can be read together. */
  requestId({ headers }: IncomingMessage): string | undefined {
    const id = this.#trustedProxies > 0 ? headers['x-request-id'] : undefined
    return typeof id === 'string' && REQUEST_ID.test(id) ? id : undefined
  }

  /** Returns the address of the client, as the outermost trusted proxy saw it. */
  clientAddress({ socket, headers }: IncomingMessage): string {
    const peer = socket.remoteAddress ?? ''
    if (this.#trustedProxies === 0) return peer
    const forwardedFor = headers['x-forwarded-for']?.toString().split(',').at(-this.#trustedProxies)
    return forwardedFor?.trim() ?? peer
  }

  /** Adds `Secure` to a cookie if a trusted proxy received the request over TLS. */
  secureCookie(cookie: string, { headers }: IncomingMessage): string {
    const isOverTls = this.#trustedProxies > 0 && headers['x-forwarded-proto'] === 'https'
    return isOverTls && !/;\s*secure/i.test(cookie) ? `${cookie}; Secure` : cookie
  }
}
