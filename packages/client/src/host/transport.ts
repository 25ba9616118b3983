import { HOUR_MS, isJsonObject, type Problem } from '@saldo/core'
import type { DeviceClock } from './environment.ts'
import { systemClock } from './platform.ts'

/** A request to the service; `path` includes the query. */
export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

/** The outcome of a request (D7.7 to D7.10). */
export type Reply =
  | { outcome: 'ok'; status: number; body: unknown; headers: Headers }
  /**
   * A retry may work, and the service may have carried the request out: no reply of the service came, or one with
   * status 408, 425, 429 or from 500, whose `problem` it is.
   */
  | { outcome: 'retryable'; retryAfterMs: number; problem?: Problem }
  | { outcome: 'unauthenticated' }
  /** The service answered a status of 400 to 499 that a retry would not change. */
  | { outcome: 'rejected'; status: number; problem: Problem; headers: Headers }

/** The outcome if no reply came, or none that makes sense. */
export const noReply = { outcome: 'retryable', retryAfterMs: 0 } as const

/** Sends a request to the service. Never rejects. */
export type Transport = (request: Request) => Promise<Reply>

export interface FetchOptions {
  /** The service's address, such as `https://saldo.example`. */
  url: string
  fetch?: typeof globalThis.fetch
  /** A bearer token; without one, the browser's cookie. */
  token?: string
  /** The number of the user that requests are for: the service answers no other user. */
  user?: number
  /** The longest time without a byte of a reply, in milliseconds. */
  timeoutMs?: number
}

const TIMEOUT_MS = 30_000
/** The longest time that a reply may take, however slowly it arrives. */
const LONGEST_MS = 600_000

/** Statuses below 500 after which a retry may work. */
const TEMPORARY_STATUSES = new Set([408, 425, 429])

/** Returns a transport by `fetch`. */
export function fetchTransport(options: FetchOptions, clock: DeviceClock = systemClock): Transport {
  const { url, fetch = globalThis.fetch, timeoutMs = TIMEOUT_MS } = options
  return ({ method, path, body, headers }) => {
    const end = AbortSignal.timeout(LONGEST_MS)
    return withIdleTimeout<Reply>(clock, timeoutMs, end, noReply, async (signal, onProgress) => {
      const response = await fetch(new URL(path, url), {
        ...requestInit(options, { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) }),
        method,
        body: JSON.stringify(body),
        signal,
      })
      let text = ''
      for await (const chunk of readChunks(response, onProgress)) text += chunk
      return readReply(response.status, response.headers, text)
    })
  }
}

/** Resolves to the result of an exchange; to `broken` if it fails, `end` aborts, or it is idle for `idleMs`. */
export async function withIdleTimeout<T>(
  clock: DeviceClock,
  idleMs: number,
  end: AbortSignal,
  broken: T,
  exchange: (signal: AbortSignal, onProgress: () => void) => Promise<T>,
): Promise<T> {
  const idle = new AbortController()
  let cancel = () => {}
  const onProgress = () => {
    cancel()
    cancel = clock.after(idleMs, () => idle.abort())
  }
  onProgress()
  try {
    return await exchange(AbortSignal.any([idle.signal, end]), onProgress)
  } catch {
    // `fetch` and the body reject with a TypeError without a network, and with a DOMException when aborted.
    return broken
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
    const { value } = (await reader?.read()) ?? {}
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

/** Returns the outcome of a response; that of a captive portal lacks the header of the service. */
function readReply(status: number, headers: Headers, text: string): Reply {
  if (!headers.has('saldo-protocol')) return noReply
  if (status === 401) return { outcome: 'unauthenticated' }
  const retry = { outcome: 'retryable', retryAfterMs: retryAfterMs(headers) } as const
  let body: unknown
  try {
    body = text === '' ? undefined : JSON.parse(text)
  } catch {
    return retry
  }
  if (status >= 200 && status < 300) return { outcome: 'ok', status, body, headers }
  const problem = problemIn(body, status, text)
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
