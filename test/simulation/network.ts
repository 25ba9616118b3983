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

/** A request on its way, and later its answer. */
export interface Message {
  /** Names the device that asked. */
  from: string
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
  /** Tells the device what came of it; absent where nobody waits, as for a repeat. */
  waiting: PromiseWithResolvers<Answer> | undefined
}

/** A network on which nothing moves by itself. */
export class Network {
  /** On their way to the service, oldest first. */
  requests: Message[] = []
  /** On their way back, oldest first. */
  answers: { message: Message; answer: Answer }[] = []
  /** On their way back, but long under way. */
  stalled: { message: Message; answer: Answer }[] = []
  /** How many requests were made in all. */
  asked = 0
  readonly #cut = new Set<string>()

  /** What `fetch` is on a device. */
  fetchOf(from: string): typeof globalThis.fetch {
    return async (input, init = {}) => {
      this.asked += 1
      if (this.#cut.has(from)) throw new TypeError('fetch failed')
      const { pathname, search } = new URL(String(input))
      const waiting = Promise.withResolvers<Answer>()
      this.requests.push({
        from,
        method: init.method ?? 'GET',
        path: pathname + search,
        headers: init.headers as Record<string, string>,
        body: (init.body ?? undefined) as string | undefined,
        waiting,
      })
      const { status, headers, text } = await waiting.promise
      return { status, headers, text: async () => text } as Response
    }
  }

  /** Cuts a device off, and what it waits for; or joins it again. */
  cut(from: string, isCut: boolean): void {
    if (!isCut) this.#cut.delete(from)
    else {
      this.#cut.add(from)
      this.giveUp((message) => message.from === from)
    }
  }

  joinAll(): void {
    this.#cut.clear()
  }

  /** Those who asked wait no longer; the requests may still be carried out. */
  giveUp(which: (message: Message) => boolean): void {
    for (const message of [...this.requests, ...[...this.answers, ...this.stalled].map((one) => one.message)]) {
      if (which(message)) this.fail(message)
    }
    this.answers = this.answers.filter(({ message }) => message.waiting)
    this.stalled = this.stalled.filter(({ message }) => message.waiting)
  }

  /** An answer takes long. */
  stall(one: { message: Message; answer: Answer }): void {
    this.answers = this.answers.filter((other) => other !== one)
    this.stalled.push(one)
  }

  /** What took long comes. */
  resume(): void {
    this.answers.push(...this.stalled.splice(0))
  }

  fail(message: Message): void {
    message.waiting?.reject(new TypeError('fetch failed'))
    message.waiting = undefined
  }

  /** Those who asked are no more. */
  forget(from: string): void {
    for (const message of this.requests) if (message.from === from) message.waiting = undefined
    this.answers = this.answers.filter(({ message }) => message.from !== from)
    this.stalled = this.stalled.filter(({ message }) => message.from !== from)
  }
}
