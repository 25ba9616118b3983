import type { UserNumber } from '@saldo/core'
import type { Listen } from '../../packages/client/src/host/event-stream.ts'
import type { Page } from '../../packages/client/test/simulated-browser/page.ts'

/** An answer as it comes over the wire. */
export interface Answer {
  status: number
  headers: Headers
  text: string
}

/** An answer with which the service says that something is wrong. */
export function failure(status: number): Answer {
  const problem = { type: 'about:blank', title: 'Failed', status, detail: 'failed', code: 'unavailable' }
  return {
    status,
    headers: new Headers({ 'saldo-protocol': '1', 'retry-after': '7' }),
    text: JSON.stringify(problem),
  }
}

/** The sender: a page on a computer, with its store and user. */
export interface Asking {
  computer: string
  /** Names the store: what the tabs of a user in a browser share. */
  device: string
  user: UserNumber
  page: Page
  /** Returns the token of the user who is signed in, which the browser sends with a request. */
  token: () => string
}

/** A request on its way, and later its answer. */
export interface Message {
  computer: string
  device: string
  user: UserNumber
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
  /** The page that asked. */
  page: Page | undefined
  /** Settles the waiting request; undefined if nothing waits, as for a repeat. */
  waiting: PromiseWithResolvers<Answer> | undefined
}

/** An answer on its way back. */
export interface Reply {
  message: Message
  answer: Answer
  /** The node that answered; absent if it was not the service. */
  node?: number
}

/** A page that listens for change notifications. */
interface Stream {
  computer: string
  page: Page
  notify: (version: number) => void
  end: () => void
}

/** A network on which nothing moves by itself. */
export class Network {
  /** On their way to the service, oldest first. */
  requests: Message[] = []
  /** On their way back, oldest first. */
  answers: Reply[] = []
  /** On their way back, but long under way. */
  stalled: Reply[] = []
  /** Number of all requests. */
  requestCount = 0
  /** Number of requests that begin a cold start. */
  coldStartCount = 0
  streams: Stream[] = []
  readonly #cut = new Set<string>()
  readonly #heard: (message: Message, answer: Answer) => void

  /** Calls `heard` when a page gets an answer. */
  constructor(heard: (message: Message, answer: Answer) => void) {
    this.#heard = heard
  }

  /** Replaces `fetch` in a page. */
  fetchOf(asking: Asking): typeof globalThis.fetch {
    const { computer, device, user, page, token } = asking
    return async (input, init = {}) => {
      this.requestCount += 1
      if (this.#cut.has(computer)) throw new TypeError('fetch failed')
      const { pathname, search } = new URL(String(input))
      if (pathname === '/api/sync/pull' && !/since|cursor/.test(search)) this.coldStartCount += 1
      const waiting = Promise.withResolvers<Answer>()
      const message: Message = {
        computer,
        device,
        user,
        method: init.method ?? 'GET',
        path: pathname + search,
        headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${token()}` },
        body: (init.body ?? undefined) as string | undefined,
        page,
        waiting,
      }
      if (!page.isGone) this.requests.push(message)
      const answer = await page.bring(waiting.promise)
      this.#heard(message, answer)
      const { status, headers, text } = answer
      // An answer comes whole.
      const pieces = [new TextEncoder().encode(text)]
      const body = { getReader: () => ({ read: async () => ({ value: pieces.pop() }) }) }
      return { status, headers, body } as unknown as Response
    }
  }

  /** Replaces the change notifications of a page. */
  listenOf({ computer, page }: Asking): Listen {
    return (notify, signal) =>
      new Promise((resolve) => {
        const stream: Stream = { computer, page, notify, end: () => page.enter(() => resolve('ended')) }
        if (this.#cut.has(computer)) return stream.end()
        this.streams.push(stream)
        signal.addEventListener('abort', () => {
          this.streams = this.streams.filter((one) => one !== stream)
          resolve('ended')
        })
      })
  }

  /** True if a page waits for an answer. */
  isAwaitedBy(page: Page): boolean {
    return this.#underWay().some((message) => message.page === page && message.waiting)
  }

  /** Cuts a computer off, and what it waits for; or joins it again. */
  cut(computer: string, isCut: boolean): void {
    if (!isCut) this.#cut.delete(computer)
    else {
      this.#cut.add(computer)
      this.giveUp((message) => message.computer === computer)
      this.endStreams((stream) => stream.computer === computer)
    }
  }

  joinAll(): void {
    this.#cut.clear()
  }

  /** Those who asked wait no longer; the requests may still be carried out. */
  giveUp(which: (message: Message) => boolean): void {
    for (const message of this.#underWay()) if (which(message)) this.fail(message)
    this.#forgetUnawaited()
  }

  endStreams(which: (stream: Stream) => boolean): void {
    const ended = this.streams.filter(which)
    this.streams = this.streams.filter((stream) => !ended.includes(stream))
    for (const { end } of ended) end()
  }

  /** An answer takes long. */
  stall(one: Reply): void {
    this.answers = this.answers.filter((other) => other !== one)
    this.stalled.push(one)
  }

  /** Delivers delayed answers. */
  resume(): void {
    this.answers.push(...this.stalled.splice(0))
  }

  fail(message: Message): void {
    message.waiting?.reject(new TypeError('fetch failed'))
    message.waiting = undefined
  }

  /** The pages that asked are no more. */
  forgetGone(): void {
    for (const message of this.#underWay()) if (message.page?.isGone) message.waiting = undefined
    this.#forgetUnawaited()
    this.streams = this.streams.filter(({ page }) => !page.isGone)
  }

  #forgetUnawaited(): void {
    this.answers = this.answers.filter(({ message }) => message.waiting)
    this.stalled = this.stalled.filter(({ message }) => message.waiting)
  }

  #underWay(): Message[] {
    return [...this.requests, ...[...this.answers, ...this.stalled].map(({ message }) => message)]
  }
}
