import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

/** A request as the proxy saw it. */
export interface Passed {
  method: string
  /** With its query. */
  path: string
  /** The name of the page that sent it: `?tab=…` of its address. */
  tab: string | undefined
  headers: IncomingHttpHeaders
  json: unknown
  /** The status of the service's answer, once there is one, even if the page did not get it. */
  status: number | undefined
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Readable
}

/** Handles a request instead of passing it on. The connection is cut if it throws. */
export type Fault = (exchange: Exchange) => Promise<void> | void

/** One request of a page and what can be done with it. */
export class Exchange {
  /** Has the service carry it out; returns the answer once its head is there. */
  readonly forward: () => Promise<Answer>
  readonly #outgoing: ServerResponse

  constructor(outgoing: ServerResponse, forward: () => Promise<Answer>) {
    this.#outgoing = outgoing
    this.forward = forward
  }

  /** Ends the connection, even in the middle of an answer. */
  cut(): void {
    this.#outgoing.destroy()
  }

  /** Sends the page an answer. */
  async send({ status, headers, body }: Answer): Promise<void> {
    this.#outgoing.writeHead(status, { ...headers, connection: 'close' })
    this.#outgoing.flushHeaders()
    await pipeline(body, this.#outgoing)
  }

  /** Sends the page an answer of somebody who is not the service, or who speaks for it. */
  say(status: number, headers: IncomingHttpHeaders, text: string): void {
    this.#outgoing.writeHead(status, { ...headers, connection: 'close' }).end(text)
  }

  /** Sends the head of an answer and half of its body, and ends the connection. */
  async sendHalf({ status, headers, body }: Answer): Promise<void> {
    const whole = await buffer(body)
    this.#outgoing.writeHead(status, { ...headers, 'content-length': whole.length, connection: 'close' })
    const half = whole.subarray(0, Math.floor(whole.length / 2))
    await new Promise<void>((resolve) => this.#outgoing.write(half, () => resolve()))
    this.cut()
  }
}

/** No fault. */
export const pass: Fault = async (exchange) => exchange.send(await exchange.forward())
