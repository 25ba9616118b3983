import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { onTestFinished } from 'vitest'
import type { TestService } from '../harness.ts'

/** A client of the event stream, gone when its test is. */
export class EventClient {
  /** All that came. */
  text = ''
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly #answer: IncomingMessage
  readonly #closed: Promise<void>
  #wake = () => {}

  constructor(answer: IncomingMessage) {
    this.#answer = answer
    this.status = answer.statusCode
    this.headers = answer.headers
    answer.setEncoding('utf8').on('data', (text: string) => {
      this.text += text
      this.#wake()
    })
    // `ended` tells of a connection that breaks.
    answer.on('error', () => undefined)
    this.#closed = new Promise((resolve) => answer.once('close', () => resolve()))
  }

  /** The versions that were told, in their order. */
  get versions(): number[] {
    return [...this.text.matchAll(/^data: (.*)\n\n/gm)].map(([, data = '']) => JSON.parse(data).version)
  }

  /** Waits until what came matches. */
  async receives(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.text)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** Waits until a version was told. */
  receivesVersion(version: number): Promise<void> {
    return this.receives(new RegExp(`^data: {"version":${version}}\\n\\n`, 'm'))
  }

  /** Waits until the service ends the stream. Throws if the connection breaks, as one does that is quiet for long. */
  async ended(): Promise<void> {
    await this.#closed
    if (!this.#answer.complete) throw new Error('the connection broke before the stream ended')
  }

  /** Hangs up. */
  drop(): void {
    this.#answer.destroy()
  }
}

/** Asks for the events as the headers say. */
export async function askForEvents(
  { url }: Pick<TestService, 'url'>,
  headers: Record<string, string>,
  method = 'GET',
): Promise<EventClient> {
  const asked = request(`${url}/api/sync/events`, { method, headers, agent: false }).end()
  onTestFinished(() => void asked.destroy())
  const [answer] = await once(asked, 'response')
  return new EventClient(answer)
}
