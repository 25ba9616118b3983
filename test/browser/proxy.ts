import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type Answer, Exchange, type Fault, type Passed, pass } from './exchange.ts'

/** The files that the proxy serves itself, by path. */
export type Files = ReadonlyMap<string, { type: string; body: string }>

/** Which requests a fault meets: those whose `METHOD /path?query` matches, and that a page of that name sent. */
export interface Where {
  on?: RegExp
  tab?: string
  /** The number of requests to match; all by default. */
  times?: number
}

/** A fault that is in force. */
export interface Trouble {
  /** The requests it met. */
  readonly met: readonly Passed[]
  lift(): void
}

/**
 * A proxy between pages and the service, on one origin with the pages' own files, that loses, cuts, delays and replaces
 * answers as a test demands. Every request gets its own connection, because Chromium itself repeats an unanswered
 * request on a kept one.
 */
export class FaultProxy {
  /** Where the service is; it may come and go. */
  upstream: string | undefined
  /** The pages' requests to the service, in the order in which they came. */
  readonly requests: Passed[] = []
  readonly #server: Server
  readonly #files: Files
  #troubles: { where: Where; fault: Fault; met: Passed[] }[] = []
  readonly #watchers = new Set<() => void>()

  private constructor(files: Files) {
    this.#files = files
    this.#server = createServer((incoming, outgoing) => void this.#handle(incoming, outgoing))
  }

  static async open(files: Files, upstream?: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(files)
    proxy.upstream = upstream
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Of several faults that fit a request, the last that was put meets it. */
  put(where: Where, fault: Fault): Trouble {
    const trouble = { where, fault, met: [] as Passed[] }
    this.#troubles.unshift(trouble)
    return {
      met: trouble.met,
      lift: () => {
        this.#troubles = this.#troubles.filter((one) => one !== trouble)
      },
    }
  }

  /** Waits until something about the requests is true; looks whenever one came, reached the service or was answered. */
  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise<void>((resolve) => this.#watchers.add(resolve))
  }

  /** The requests that match, of those that came. */
  sent(on: RegExp): Passed[] {
    return this.requests.filter((one) => on.test(lineOf(one)))
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    outgoing.on('error', () => {})
    const { pathname } = new URL(incoming.url ?? '/', this.url)
    const file = this.#files.get(pathname)
    if (file) {
      outgoing.writeHead(200, { 'content-type': file.type, 'cache-control': 'no-store' }).end(file.body)
      return
    }
    if (!pathname.startsWith('/api/')) {
      outgoing.writeHead(404).end()
      return
    }
    const body = await buffer(incoming).catch(() => undefined)
    // The page went away while it was sending.
    if (!body) return
    const passed = passedOf(incoming, body)
    this.requests.push(passed)
    const fault = this.#faultFor(passed)
    this.#look()
    const exchange = new Exchange(outgoing, () => this.#forward(incoming, body, passed))
    try {
      await fault(exchange)
    } catch {
      // The service is not there, or went away before it had answered.
      exchange.cut()
    }
    this.#look()
  }

  #faultFor(passed: Passed): Fault {
    const trouble = this.#troubles.find(
      ({ where: { on, tab, times = Infinity }, met }) =>
        met.length < times && (on?.test(lineOf(passed)) ?? true) && (tab ?? passed.tab) === passed.tab,
    )
    trouble?.met.push(passed)
    return trouble?.fault ?? pass
  }

  #forward({ method, url, headers }: IncomingMessage, body: Buffer, passed: Passed): Promise<Answer> {
    const { upstream } = this
    if (upstream === undefined) return Promise.reject(new Error('the service is not there'))
    return new Promise((resolve, reject) => {
      const { connection: _c, ...kept } = headers
      const there = request(new URL(url ?? '/', upstream), { method, headers: kept, agent: false })
      there.on('error', reject)
      there.on('response', (response) => {
        passed.status = response.statusCode
        this.#look()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response })
      })
      there.end(body)
    })
  }

  #look(): void {
    for (const wake of this.#watchers) wake()
    this.#watchers.clear()
  }
}

function lineOf({ method, path }: Passed): string {
  return `${method} ${path}`
}

function passedOf({ method = '', url = '', headers }: IncomingMessage, body: Buffer): Passed {
  const page = headers.referer === undefined ? undefined : new URL(headers.referer)
  const isJson = headers['content-type']?.includes('json') && body.length > 0
  return {
    method,
    path: url,
    tab: page?.searchParams.get('tab') ?? undefined,
    headers,
    json: isJson ? JSON.parse(body.toString()) : undefined,
    status: undefined,
  }
}
