import { buffer } from 'node:stream/consumers'
import { type Fault, pass } from './exchange.ts'

/** The request does not reach the service. */
export const cutBefore: Fault = (exchange) => exchange.cut()

/** The service carries it out, and its answer is lost. */
export const cutAfter: Fault = async (exchange) => {
  const { body } = await exchange.forward()
  await buffer(body)
  exchange.cut()
}

/** The service carries it out, and half of its answer's body arrives. */
export const cutInside: Fault = async (exchange) => exchange.sendHalf(await exchange.forward())

/** A Wi-Fi wants to be signed in to: it answers everything itself. */
export const captivePortal: Fault = (exchange) =>
  exchange.say(200, { 'content-type': 'text/html' }, '<h1>Welcome to our Wi-Fi</h1>')

/** A Wi-Fi leads everything to its own page. */
export const captiveRedirect: Fault = (exchange) =>
  exchange.say(302, { location: 'http://wifi.invalid/welcome', 'content-type': 'text/html' }, '')

/** The service itself says no; `status` is that of `code`. */
export const serviceSays =
  (status: number, code: string, headers: Record<string, string> = {}): Fault =>
  (exchange) =>
    exchange.say(
      status,
      { 'content-type': 'application/problem+json', 'saldo-protocol': '1', ...headers },
      JSON.stringify({ type: 'about:blank', title: code, status, detail: code, code }),
    )

/** Something between the page and the service says no. */
export const gatewaySays =
  (status: number): Fault =>
  (exchange) =>
    exchange.say(status, { 'content-type': 'text/html' }, '<h1>gateway</h1>')

/** Something that others wait for. */
export class Gate {
  readonly #opened = Promise.withResolvers<void>()

  open(): void {
    this.#opened.resolve()
  }

  get opened(): Promise<void> {
    return this.#opened.promise
  }
}

/** The request is on its way until the gate opens, and then passes. */
export const slowThere =
  (gate: Gate): Fault =>
  async (exchange) => {
    await gate.opened
    await pass(exchange)
  }

/** The service carries it out, and its answer is on its way until the gate opens. */
export const slowBack =
  (gate: Gate): Fault =>
  async (exchange) => {
    const answer = await exchange.forward()
    await gate.opened
    await exchange.send(answer)
  }
