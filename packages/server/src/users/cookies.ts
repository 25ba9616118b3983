import type { DurationMs } from '@saldo/core'

/** The cookies of the service, which pages cannot read. */
export class Cookies {
  readonly #isBehindTls: boolean

  constructor(publicUrl: string | undefined) {
    this.#isBehindTls = publicUrl?.startsWith('https:') === true
  }

  /** Returns the value of a cookie in a `Cookie` header; `undefined` if it is missing or empty. */
  read(header: string | undefined, name: string): string | undefined {
    const start = `${this.#nameOf(name)}=`
    const pair = header?.split(/; */).find((text) => text.startsWith(start))
    return pair?.slice(start.length) || undefined
  }

  /** Returns the `Set-Cookie` header that sets a cookie, or removes it with an age of 0. */
  set(name: string, value: string, maxAgeMs: DurationMs): string {
    const attributes = `Max-Age=${maxAgeMs / 1_000}; Path=/; HttpOnly; SameSite=Lax`
    return `${this.#nameOf(name)}=${value}; ${attributes}${this.#isBehindTls ? '; Secure' : ''}`
  }

  /** Browsers accept a cookie with the prefix `__Host-` only over TLS and from this very host. */
  #nameOf(name: string): string {
    return this.#isBehindTls ? `__Host-${name}` : name
  }
}
