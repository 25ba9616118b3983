import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { gunzipSync } from 'node:zlib'

/** Groups of requests in the figures. */
export type RequestKind = 'push' | 'pull' | 'snapshot' | 'digest' | 'read' | 'write' | 'close' | 'settings' | 'sign-in'

export interface Question {
  kind: RequestKind
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  headers?: Record<string, string>
  json?: unknown
}

export interface Answer {
  status: number
  headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: what the service says, which its own tests check.
  body: any
}

/** After so long without an answer something hangs, however little of the processor there was, in milliseconds. */
const TIMEOUT_MS = 120_000

/** Asks the service, and tells how long each answer took. */
export class Wire {
  readonly #port: number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 })
  readonly #onAnswer: (kind: RequestKind, ms: number) => void

  constructor(port: number, onAnswer: (kind: RequestKind, ms: number) => void) {
    this.#port = port
    this.#onAnswer = onAnswer
  }

  /** The answer, whole; throws where it has none of the statuses that may come. */
  async ask(question: Question, ...may: number[]): Promise<Answer> {
    const startedMs = performance.now()
    const answer = await this.#send(question)
    this.#onAnswer(question.kind, performance.now() - startedMs)
    if (may.includes(answer.status)) return answer
    const { method, path, json } = question
    const said = JSON.stringify(answer.body)?.slice(0, 300)
    throw new Error(`${method} ${path}: ${answer.status} ${said} to ${JSON.stringify(json)?.slice(0, 300)}`)
  }

  /** Opens an event stream. Returns a function that closes it; calls `onEnd` if the service ends it. */
  stream(token: string, onEvent: () => void, onEnd: (why: string) => void): () => void {
    let isClosed = false
    const end = (why: string) => {
      if (!isClosed) onEnd(why)
      isClosed = true
    }
    const outgoing = request({ host: '127.0.0.1', port: this.#port, path: '/api/sync/events', agent: false })
    outgoing.setHeader('authorization', `Bearer ${token}`)
    outgoing.on('error', ({ message }) => end(message))
    outgoing.on('response', (incoming) => {
      if (incoming.statusCode !== 200) end(`status ${incoming.statusCode}`)
      incoming.on('data', (chunk: Buffer) => chunk.includes('event: version') && onEvent())
      incoming.on('error', ({ message }) => end(message))
      incoming.on('end', () => end('ended'))
    })
    outgoing.end()
    return () => {
      isClosed = true
      outgoing.destroy()
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  #send(question: Question): Promise<Answer> {
    const { method, path, headers, json } = question
    const body = json === undefined ? undefined : Buffer.from(JSON.stringify(json))
    return new Promise((resolve, reject) => {
      const outgoing: ClientRequest = request(
        {
          agent: this.#agent,
          host: '127.0.0.1',
          port: this.#port,
          method,
          path,
          headers: {
            'accept-encoding': 'gzip',
            ...headers,
            ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
          },
        },
        (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('error', reject)
          incoming.on('end', () => resolve(answerOf(incoming, Buffer.concat(chunks))))
        },
      )
      outgoing.setTimeout(TIMEOUT_MS, () => outgoing.destroy(new Error(`${method} ${path}: no answer`)))
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // The service had just closed an idle connection.
        if (outgoing.reusedSocket && error.code === 'ECONNRESET') resolve(this.#send(question))
        else reject(error)
      })
      outgoing.end(body)
    })
  }
}

function answerOf({ statusCode = 0, headers }: IncomingMessage, sent: Buffer): Answer {
  const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent).toString()
  const isJson = /json/.test(headers['content-type'] ?? '')
  return { status: statusCode, headers, body: isJson && text !== '' ? JSON.parse(text) : undefined }
}
