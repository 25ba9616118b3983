import { HOUR_MS, isJsonObject, type Problem } from '@saldo/core'
import type { DeviceClock } from './environment.ts'
import { type ExchangeFailure, faultIn, faultOf, NetworkError, networkResult } from './exchange-failure.ts'
import { systemClock } from './platform.ts'

/** A request to the service; `path` includes the query. */
export interface ServiceRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

/** The outcome of a request (D7.7 to D7.10). */
export type ServiceResponse =
  | { outcome: 'ok'; status: number; body: unknown; headers: Headers }
  /**
   * A retry may work, and the service may have carried the request out: no response came from the service, or one with
   * status 408, 425, 429 or from 500, whose `problem` it is. Without a response, `failure` is the reason.
   */
  | { outcome: 'retryable'; retryAfterMs: number; problem?: Problem; failure?: ExchangeFailure }
  | { outcome: 'unauthenticated'; problem?: Problem }
  /** The service answered a status of 400 to 499 that a retry would not change. */
  | { outcome: 'rejected'; status: number; problem: Problem; headers: Headers }

/** The outcome if no response came, or none that makes sense. */
export const noResponse = { outcome: 'retryable', retryAfterMs: 0 } as const

/** Sends a request to the service. Rejects only because of a defect in this program. */
export type Transport = (request: ServiceRequest) => Promise<ServiceResponse>

export interface FetchOptions {
  /** The service's address, such as `https://saldo.example`. */
  url: string
  fetch?: typeof globalThis.fetch
  /** A bearer token; without one, the browser's cookie. */
  token?: string
  /** The number of the user that requests are for: the service answers no other user. */
  user?: number
  /** The longest time without a byte of a response, in milliseconds. */
  timeoutMs?: number
}

const TIMEOUT_MS = 30_000
/** The longest time that a response may take, however slowly it arrives. */
const LONGEST_MS = 600_000

/** The longest response, for exports of large accounts. It is decompressed: a few bytes could fill the memory. */
const MAX_RESPONSE_CHARACTERS = 256 * 1024 * 1024

/** Statuses below 500 after which a retry may work. */
const TEMPORARY_STATUSES = new Set([408, 425, 429])

/** Returns a transport by `fetch`. Throws an `InvalidAddressError` if `url` cannot be the address of a service. */
export function fetchTransport(options: FetchOptions, clock: DeviceClock = systemClock): Transport {
  const { fetch = globalThis.fetch, timeoutMs = TIMEOUT_MS } = options
  const base = parseAddress(options.url)
  return async ({ method, path, body, headers }) => {
    const init = {
      ...requestInit(options, { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) }),
      method,
      body: JSON.stringify(body),
    }
    const end = AbortSignal.timeout(LONGEST_MS)
    const exchanged = await withIdleTimeout(clock, timeoutMs, end, async (signal, onProgress) => {
      const response = await networkResult(() => fetch(new URL(path, base), { ...init, signal }))
      let text = ''
      // Of what somebody else answers, the body is not read.
      if (faultIn(response, base)) return { response, text }
      for await (const chunk of readChunks(response, onProgress)) {
        text += chunk
        if (text.length > MAX_RESPONSE_CHARACTERS) throw new NetworkError('', { cause: new RangeError('too large') })
      }
      return { response, text }
    })
    if (exchanged instanceof NetworkError) return { ...noResponse, failure: faultOf(exchanged, base) }
    return readResponse(exchanged.response, exchanged.text, base)
  }
}

/** The address of a service is not one: it has no scheme, another scheme than http or https, or no host. */
export class InvalidAddressError extends TypeError {
  constructor(url: string) {
    super(`The address of the service must be like https://saldo.example, not '${url}'.`)
    this.name = 'InvalidAddressError'
  }
}

function parseAddress(url: string): URL {
  const base = URL.canParse(url) ? new URL(url) : undefined
  if (base?.protocol !== 'http:' && base?.protocol !== 'https:') throw new InvalidAddressError(url)
  return base
}

/** Resolves to the result of an exchange; to an error if the network fails, `end` aborts, or it idles for `idleMs`. */
export async function withIdleTimeout<T>(
  clock: DeviceClock,
  idleMs: number,
  end: AbortSignal,
  exchange: (signal: AbortSignal, onProgress: () => void) => Promise<T>,
): Promise<T | NetworkError> {
  const idle = new AbortController()
  let cancel = () => {}
  const onProgress = () => {
    cancel()
    cancel = clock.after(idleMs, () => idle.abort())
  }
  onProgress()
  try {
    return await exchange(AbortSignal.any([idle.signal, end]), onProgress)
  } catch (error) {
    if (error instanceof NetworkError) return error
    throw error
  } finally {
    cancel()
    idle.abort()
  }
}

/** Yields the text of a response as it arrives. */
export async function* readChunks({ body }: Response, onProgress: () => void): AsyncGenerator<string> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  for (;;) {
    const { value } = (await networkResult(async () => reader?.read())) ?? {}
    if (!value) return
    onProgress()
    yield decoder.decode(value, { stream: true })
  }
}

/** Returns the options of `fetch` that every request has: who sends it, and no cache and no redirect. */
export function requestInit({ token, user }: FetchOptions, headers: Readonly<Record<string, string>>): RequestInit {
  return {
    headers: {
      ...headers,
      ...(user !== undefined && { 'saldo-user': String(user) }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    credentials: token === undefined ? 'same-origin' : 'omit',
    redirect: 'manual',
    cache: 'no-store',
  }
}

/** Returns the outcome of a response. */
function readResponse(response: Response, text: string, base: URL): ServiceResponse {
  const failure = faultIn(response, base)
  if (failure) return { ...noResponse, failure }
  const { status, headers } = response
  const retry = { outcome: 'retryable', retryAfterMs: retryAfterMs(headers) } as const
  let body: unknown
  try {
    body = text === '' ? undefined : JSON.parse(text)
  } catch (cause) {
    if (status === 401) return { outcome: 'unauthenticated' }
    return { ...retry, failure: { code: 'unreachable', detail: String(cause), cause } }
  }
  if (status >= 200 && status < 300) return { outcome: 'ok', status, body, headers }
  const problem = problemIn(body, status, text)
  if (status === 401) return { outcome: 'unauthenticated', problem }
  const isRejected = status >= 400 && status < 500 && !TEMPORARY_STATUSES.has(status)
  return isRejected ? { outcome: 'rejected', status, problem, headers } : { ...retry, problem }
}

/** Returns the problem in a body; one with `detail` if the body has none. */
export function problemIn(body: unknown, status: number, detail: string): Problem {
  if (isJsonObject(body) && typeof body.code === 'string' && typeof body.detail === 'string') return body as Problem
  return { type: 'about:blank', title: 'Unknown problem', status, code: 'internal', detail }
}

/** The longest delay that a service may ask for. */
const MAX_RETRY_AFTER_MS = HOUR_MS

/** Reads `Retry-After` in seconds (RFC 9110 §10.2.3), as the service sends it. */
function retryAfterMs(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? 0)
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1_000, MAX_RETRY_AFTER_MS) : 0
}
