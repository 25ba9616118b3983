import type { IncomingHttpHeaders } from 'node:http'
import type { RouteResponse, RouteSpec } from './route.ts'

/** The headers of requests and responses that a page may send and read besides those that every page may. */
const REQUEST_HEADERS = 'Authorization, Content-Type, If-Match, If-None-Match, Saldo-User'
const RESPONSE_HEADERS =
  'ETag, Location, Retry-After, Saldo-Protocol, Saldo-Unknown-Fields, Saldo-Updated-At, Saldo-Version, ' +
  'WWW-Authenticate, X-Request-Id'
/** Browsers remember the response to a preflight for two hours at most. */
const PREFLIGHT_SECONDS = 7_200

/**
 * Lets pages of chosen origins call the routes that take a bearer token, and read what is public (D21.6). No response
 * allows credentials, so cookies do not count, and signing in stays with the service's own pages.
 */
export class Cors {
  readonly #origins: ReadonlySet<string>

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins)
  }

  /** Returns the headers that let a page read a response of a route. */
  headersFor(spec: RouteSpec | undefined, { origin }: IncomingHttpHeaders): Record<string, string> {
    if (this.#origins.size === 0 || !spec || !isShared(spec)) return {}
    if (!this.#allows(origin)) return { vary: 'Origin' }
    return {
      vary: 'Origin',
      'access-control-allow-origin': origin,
      'access-control-expose-headers': RESPONSE_HEADERS,
    }
  }

  /** Answers a preflight; `undefined` if the request is none, or announces what the page may not send. */
  preflight(
    headers: IncomingHttpHeaders,
    specOf: (method: string) => RouteSpec | undefined,
  ): RouteResponse | undefined {
    const { origin, 'access-control-request-method': method } = headers
    const spec = method === undefined ? undefined : specOf(method)
    if (!spec || !isShared(spec) || !this.#allows(origin)) return undefined
    return {
      status: 204,
      headers: {
        ...this.headersFor(spec, headers),
        'access-control-allow-methods': spec.method,
        'access-control-allow-headers': REQUEST_HEADERS,
        'access-control-max-age': String(PREFLIGHT_SECONDS),
      },
    }
  }

  #allows(origin: string | undefined): origin is string {
    return origin !== undefined && this.#origins.has(origin)
  }
}

/** True if pages of other origins may call a route: it takes a bearer token, or only reads what is public. */
function isShared({ access, method }: RouteSpec): boolean {
  if (access === 'public') return method === 'GET'
  return access !== 'session' && access !== 'admin'
}
