import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** An answer as it came over the wire: nothing decoded. Header names are in lower case. */
export interface WireAnswer {
  status: number
  headers: Map<string, string>
  body: Buffer
}

/** There is no answer: the connection broke or timed out. */
export class NoAnswerError extends Error {
  constructor(why: 'closed' | 'hangs' | 'no HTTP') {
    super(why)
    this.name = 'NoAnswerError'
  }
}

/** A request that takes longer hangs, in milliseconds. */
const HANGS_MS = 120_000

/** A connection to a service that sends raw bytes, which no HTTP client does. */
export class Connection {
  readonly #socket: Socket
  #came: Buffer = Buffer.alloc(0)
  #isClosed = false
  #wake = () => {}

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => {
      this.#came = this.#came.length === 0 ? chunk : Buffer.concat([this.#came, chunk])
      this.#wake()
    })
    // The bytes before the connection broke are the answer.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#isClosed = true
      this.#wake()
    })
  }

  static async open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    return new Connection(socket)
  }

  get isClosed(): boolean {
    return this.#isClosed || this.#socket.destroyed
  }

  write(bytes: Uint8Array): void {
    this.#socket.write(bytes)
  }

  /** Ends this side. */
  end(): void {
    this.#socket.end()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** The next answer; of one without end the first part, and then the connection is at its end. */
  async answer(isHead: boolean): Promise<WireAnswer> {
    const deadlineMs = Date.now() + HANGS_MS
    for (;;) {
      const answer = this.#take(isHead)
      if (answer) {
        if (answer.headers.get('connection') === 'close') await this.#closed(deadlineMs)
        return answer
      }
      if (this.#isClosed) throw new NoAnswerError('closed')
      await this.#more(deadlineMs)
    }
  }

  /** All that comes until the other side closes. */
  async rest(): Promise<string> {
    const deadlineMs = Date.now() + HANGS_MS
    await this.#closed(deadlineMs)
    return this.#came.toString('latin1')
  }

  async #closed(deadlineMs: number): Promise<void> {
    while (!this.#isClosed) await this.#more(deadlineMs)
  }

  async #more(deadlineMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const came = await new Promise<boolean>((resolve) => {
      this.#wake = () => resolve(true)
      timer = setTimeout(() => resolve(false), deadlineMs - Date.now())
    })
    clearTimeout(timer)
    if (!came) throw new NoAnswerError('hangs')
  }

  #take(isHead: boolean): WireAnswer | undefined {
    const end = this.#came.indexOf('\r\n\r\n')
    if (end === -1) return undefined
    const [line = '', ...lines] = this.#came.toString('latin1', 0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    if (Number.isNaN(status)) throw new NoAnswerError('no HTTP')
    const headers = new Map<string, string>()
    for (const one of lines) {
      const colon = one.indexOf(':')
      const name = one.slice(0, colon).toLowerCase()
      const before = headers.get(name)
      headers.set(
        name,
        before === undefined ? one.slice(colon + 1).trim() : `${before}\n${one.slice(colon + 1).trim()}`,
      )
    }
    const from = end + 4
    if (status === 100) {
      this.#came = this.#came.subarray(from)
      return this.#take(isHead)
    }
    const hasBody = !isHead && status !== 204 && status !== 304
    if (hasBody && headers.get('transfer-encoding') === 'chunked') {
      if (headers.get('content-type')?.startsWith('text/event-stream')) {
        // The beginning of an endless answer is enough.
        if (this.#came.length === from) return undefined
        this.destroy()
        return { status, headers, body: this.#came.subarray(from) }
      }
      const chunks = takeChunks(this.#came, from)
      if (!chunks) return undefined
      this.#came = this.#came.subarray(chunks.end)
      return { status, headers, body: chunks.body }
    }
    const length = hasBody ? Number(headers.get('content-length') ?? 0) : 0
    if (this.#came.length < from + length) return undefined
    const body = this.#came.subarray(from, from + length)
    this.#came = this.#came.subarray(from + length)
    return { status, headers, body }
  }
}

/** Returns a chunked body and the place of its end; `undefined` if more has to come. There are no trailers. */
function takeChunks(came: Buffer, from: number): { body: Buffer; end: number } | undefined {
  const parts: Buffer[] = []
  for (let at = from; ; ) {
    const line = came.indexOf('\r\n', at)
    if (line === -1) return undefined
    const length = Number.parseInt(came.toString('latin1', at, line), 16)
    const end = line + 2 + length
    if (came.length < end + 2) return undefined
    if (length === 0) return { body: Buffer.concat(parts), end: end + 2 }
    parts.push(came.subarray(line + 2, end))
    at = end + 2
  }
}
