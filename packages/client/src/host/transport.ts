import { HOUR_MS, isJsonObject, type Problem } from '@saldo/core'
import type { DeviceClock } from './clock.ts'
import { systemClock } from './platform.ts'

/** A request to the service: the path with its query, below its address. */
export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

/** What came of a request (D7). */
export type Reply =
  | { outcome: 'answered'; status: number; body: unknown; headers: Headers }
  /** Nothing, or nothing of the service's: it may have been carried out, and may work later. */
  | { outcome: 'unreachable'; retryAfterMs: number; problem?: Problem }
  | { outcome: 'unauthenticated' }
  /** The service will not do this, however often it is asked. */
  | { outcome: 'refused'; status: number; problem: Problem; headers: Headers }

/** Nothing was heard, or nothing of the service's: an answer that makes no sense is as good as none. */
export const notTheService = { outcome: 'unreachable', retryAfterMs: 0 } as const

/** The way to the service. */
export type Transport = (request: Request) => Promise<Reply>

export interface FetchOptions {
  /** The service's address, such as `https://saldo.example`. */
  url: string
  fetch?: typeof globalThis.fetch
  /** A bearer token; without one, the browser's cookie. */
  token?: string
  /** The service's number of the user who is meant: it answers nobody else. */
  user?: number
  /** A request of which nothing comes for so long is given up, in milliseconds. */
  timeoutMs?: number
}

const TIMEOUT_MS = 30_000
/** However it trickles, an answer takes no longer, in milliseconds. */
const LONGEST_MS = 600_000

/** Statuses below 500 that say «not now». */
const PASSING = new Set([408, 425, 429])

/** The way to the service by `fetch`. */
export function fetchTransport(options: FetchOptions): Transport {
  const { url, fetch = globalThis.fetch, timeoutMs = TIMEOUT_MS } = options
  return ({ method, path, body, headers }) => {
    const end = AbortSignal.timeout(LONGEST_MS)
    return whileHeard<Reply>(systemClock, timeoutMs, end, notTheService, async (signal, heard) => {
      const response = await fetch(new URL(path, url), {
        ...authorized(options, { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) }),
        method,
        body: JSON.stringify(body),
        signal,
      })
      let text = ''
      for await (const piece of piecesOf(response, heard)) text += piece
      return readReply(response.status, response.headers, text)
    })
  }
}

/**
 * What an exchange came to; `broken` where the network fails, nothing is heard for so long, or `end` has come: a slow network is
 * no dead one.
 */
export async function whileHeard<T>(
  clock: DeviceClock,
  silentMs: number,
  end: AbortSignal,
  broken: T,
  exchange: (signal: AbortSignal, heard: () => void) => Promise<T>,
): Promise<T> {
  const silent = new AbortController()
  let stopWaiting = () => {}
  const heard = () => {
    stopWaiting()
    stopWaiting = clock.after(silentMs, () => silent.abort())
  }
  heard()
  try {
    return await exchange(AbortSignal.any([silent.signal, end]), heard)
  } catch {
    // `fetch` and the body reject with a TypeError where there is no network, and with a DOMException where they are ended.
    return broken
  } finally {
    stopWaiting()
    silent.abort()
  }
}

/** The text of an answer, as it comes. */
export async function* piecesOf({ body }: Response, heard: () => void): AsyncGenerator<string> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  for (;;) {
    const { value } = (await reader?.read()) ?? {}
    if (!value) return
    heard()
    yield decoder.decode(value, { stream: true })
  }
}

/** What every request says of who asks. */
export function authorized({ token, user }: FetchOptions, headers: Readonly<Record<string, string>>): RequestInit {
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

/** Tells what an answer is. What does not carry the service's header is somebody else's, such as a captive portal's. */
export function readReply(status: number, headers: Headers, text: string): Reply {
  if (!headers.has('saldo-protocol')) return notTheService
  const unreachable = { outcome: 'unreachable', retryAfterMs: retryAfterMs(headers) } as const
  if (status === 401) return { outcome: 'unauthenticated' }
  let body: unknown
  try {
    body = text === '' ? undefined : JSON.parse(text)
  } catch {
    return unreachable
  }
  if (status >= 200 && status < 300) return { outcome: 'answered', status, body, headers }
  const problem = problemIn(body, status, text)
  const isRefusal = status >= 400 && status < 500 && !PASSING.has(status)
  return isRefusal ? { outcome: 'refused', status, problem, headers } : { ...unreachable, problem }
}

/** The problem that an answer tells; one of ours where it does not say what is wrong. */
export function problemIn(body: unknown, status: number, detail: string): Problem {
  if (isJsonObject(body) && typeof body.code === 'string' && typeof body.detail === 'string') return body as Problem
  return { type: 'about:blank', title: 'Not explained', status, code: 'internal', detail }
}

/** The longest that a service may ask to be left alone, in milliseconds. */
const MOST_RETRY_AFTER_MS = HOUR_MS

/** `Retry-After` in seconds (RFC 9110 §10.2.3), as the service sends it. */
function retryAfterMs(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? 0)
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1_000, MOST_RETRY_AFTER_MS) : 0
}
