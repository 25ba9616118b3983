import type { EpochMs } from '@saldo/core'
import { type Log, readConfig, type Service, startService } from '@saldo/server'
import { quickHashing } from '../../packages/server/test/quick-hashing.ts'
import { type Chance, chanceOf } from './chance.ts'
import type { Answer, Message } from './network.ts'
import type { Database, Moment } from './service.ts'

const silent: Log = { error() {}, warn() {}, info() {}, debug() {} }

export interface ServiceNodesOptions {
  database: Database
  nodes: number
  clock: { now(): EpochMs }
  random: Chance
  seed: number
}

/** Requests to the service. */
type Request = Pick<Message, 'method' | 'path' | 'headers' | 'body'>

/** A process of the service, which runs or does not. */
interface Node {
  readonly number: number
  skewMs: number
  running: Service | undefined
}

/**
 * The real service on real sockets: nodes on one database, and a balancer before them. Some node runs always; all can
 * be stopped, and the database be set back to what it was.
 */
export class ServiceNodes {
  readonly database: Database
  readonly #options: ServiceNodesOptions
  readonly #nodes: readonly Node[]
  /** Separate from other randomness, so that the number of nodes does not change the rest of a run. */
  readonly #balance: Chance

  private constructor(options: ServiceNodesOptions) {
    const { database, nodes, seed } = options
    this.database = database
    this.#options = options
    this.#balance = chanceOf(~seed)
    this.#nodes = Array.from({ length: nodes }, (_, number) => ({ number, skewMs: 0, running: undefined }))
  }

  static async start(options: ServiceNodesOptions): Promise<ServiceNodes> {
    const nodes = new ServiceNodes(options)
    await nodes.start()
    return nodes
  }

  /** Starts all nodes that do not run. */
  async start(): Promise<void> {
    for (const node of this.#nodes) if (!node.running) await this.#startNode(node)
  }

  async stop(): Promise<void> {
    for (const node of this.#running) await stop(node)
  }

  /** Which node takes the next request. */
  get next(): number {
    const running = this.#running
    const index = running.length > 1 ? this.#balance.below(running.length) : 0
    return (running[index] as Node).number
  }

  /** True if the node runs. */
  isRunning(number: number): boolean {
    return this.#nodes[number]?.running !== undefined
  }

  /** Has a node carry out a request. */
  async ask(number: number, { method, path, headers, body }: Request): Promise<Answer> {
    const { running } = this.#nodes[number] as Node
    const url = new URL(path, (running as Service).url)
    // A session is a page's, and pages name their origin.
    const sent = headers.cookie === undefined ? headers : { ...headers, origin: url.origin }
    const response = await fetch(url, { method, headers: sent, body: body ?? null, redirect: 'manual' })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  /** A node does what is due, or all nodes do at once. */
  async runDueJobs(only?: number): Promise<void> {
    const nodes = this.#running.filter(({ number }) => only === undefined || number === only)
    await Promise.all(nodes.map(async ({ running }) => running?.runDueJobs()))
  }

  /**
   * Kills a node at a moment of what it does. Where it was the last, it is started again. Returns whether what it
   * answered is true.
   */
  async kill(number: number, moment: Moment, work: () => Promise<unknown>): Promise<boolean> {
    const node = this.#nodes[number] as Node
    const isTrue = await this.database.kill(number, moment, work, () => stop(node))
    if (this.#running.length === 0) await this.#startNode(node)
    return isTrue
  }

  async startNode(number: number): Promise<void> {
    const node = this.#nodes[number] as Node
    if (!node.running) await this.#startNode(node)
  }

  /** The clock of a node goes so much ahead. */
  skew(number: number, skewMs: number): void {
    const node = this.#nodes[number] as Node
    node.skewMs = skewMs
  }

  /** All nodes run, and their clocks are right. */
  async calm(): Promise<void> {
    for (const node of this.#nodes) {
      node.skewMs = 0
      await this.startNode(node.number)
    }
  }

  get #running(): readonly Node[] {
    return this.#nodes.filter(({ running }) => running)
  }

  async #startNode(node: Node): Promise<void> {
    const { clock, random, database } = this.#options
    const config = {
      ...readConfig({}),
      port: 0,
      ...database.configOf(node.number),
      writesPerMinute: 1e6,
      writtenBytesPerMinute: 1e12,
    }
    const own = { now: () => clock.now() + node.skewMs }
    node.running = await startService({ config, clock: own, random, log: silent, hashing: quickHashing, build: 'test' })
  }
}

async function stop(node: Node): Promise<void> {
  const { running } = node
  node.running = undefined
  await running?.close()
}
