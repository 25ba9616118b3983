import { rmSync } from 'node:fs'
import type { EpochMs, ExpiryProposal, PullResponse, UserNumber } from '@saldo/core'
import type { BaseRecord } from '../../packages/client/src/store/rows.ts'
import { type Chance, chanceOf } from './chance.ts'
import { Hr } from './company.ts'
import { Computer } from './computer.ts'
import { POISON } from './contents.ts'
import { Ledger } from './ledger.ts'
import { type Answer, failure, type Message, Network, type Reply } from './network.ts'
import { PlainClient } from './plain-client.ts'
import { fileDatabase, type MakeDatabase, type Moment, makeFolder, START_MS, type User } from './service.ts'
import { ServiceNodes } from './service-nodes.ts'

/** After how long a device waits no longer for an answer, in milliseconds. */
const TIMEOUT_MS = 30_000

/** Maximum number of records of a pull. */
const PAGE = 4

interface Timer {
  atMs: EpochMs
  work: () => void
}

/** The initial state of a run. */
export interface Setup {
  /** Number of computers, each with a browser. */
  devices: number
  /** Number of users who share the computers; one by default. */
  users?: number
  /** The kind of local store; the one of Node by default. */
  store?: 'dexie'
  /** The versions of the programs of the first computers, where these are old. */
  old?: readonly (1 | 2 | 3)[]
  /** The pages may have no Web Locks. */
  lockless?: true
  /** Number of nodes of the service; one by default. */
  nodes?: number
  /** The first user is a member of a company, whose HR locks months, changes records and decides requests. */
  company?: true
}

/** The host of a run's service. */
export interface Host {
  makeDatabase?: MakeDatabase
}

/** A service with nodes, computers, one clock and one network. Every event is a step of the schedule. */
export class Simulation {
  nowMs: EpochMs = START_MS
  readonly chance: Chance
  readonly setup: Setup
  readonly network = new Network((message, answer) => this.ledgerOf(message.user).heard(message, answer))
  readonly computers: Computer[] = []
  readonly folder = makeFolder('world')
  /** Violations by devices. */
  readonly failures: unknown[] = []
  users: readonly User[] = []
  /** A client of the first user with the first protocol, if the service has several nodes. */
  plain: PlainClient | undefined
  /** HR of the first user's company, in a run with one. */
  hr: Hr | undefined
  #ledgers = new Map<UserNumber, Ledger>()
  #serviceNodes!: ServiceNodes
  #timers: Timer[] = []
  /** Number of running operations that end by themselves. */
  #underWay = 0

  private constructor(seed: number, setup: Setup) {
    this.chance = chanceOf(seed)
    this.setup = setup
  }

  static async create(seed: number, setup: Setup, host: Host): Promise<Simulation> {
    const simulation = new Simulation(seed, setup)
    const { makeDatabase = fileDatabase } = host
    const database = await makeDatabase(simulation.folder, setup.company === true)
    const { nodes = 1 } = setup
    const clock = { now: () => simulation.nowMs }
    simulation.#serviceNodes = await ServiceNodes.start({
      database,
      nodes,
      clock,
      random: simulation.chance,
      seed,
    })
    simulation.users = database.users.slice(0, setup.users ?? 1)
    for (const [index, { id }] of simulation.users.entries())
      simulation.#ledgers.set(id, new Ledger('ab'[index] as string))
    const [member] = simulation.users
    if (database.hr !== undefined && member) {
      simulation.hr = new Hr(database.hr, member.id, (request) =>
        simulation.#serviceNodes.ask(simulation.#serviceNodes.next, request),
      )
      simulation.#ledgers.set(database.hr, new Ledger('h'))
    }
    if (setup.nodes !== undefined) simulation.plain = new PlainClient(simulation, simulation.users[0] as User)
    for (let index = 0; index < setup.devices; index += 1) {
      simulation.computers.push(new Computer(simulation, `d${index}`, setup.old?.[index]))
    }
    return simulation
  }

  ledgerOf(user: UserNumber): Ledger {
    return this.#ledgers.get(user) as Ledger
  }

  /** Content that no other edit has. */
  note(user: User): string {
    return `${this.ledgerOf(user.id).mark}${this.chance.uuid()}`
  }

  /** Calls `work` once, when the clock has gone on so far. */
  after(ms: number, work: () => void): () => void {
    const timer = { atMs: this.nowMs + ms, work }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  async pass(ms: number): Promise<void> {
    if (ms > TIMEOUT_MS) {
      this.network.giveUp(() => true)
      await this.quiet()
    }
    this.nowMs += ms
    const due = this.#timers.filter(({ atMs }) => atMs <= this.nowMs).toSorted((a, b) => a.atMs - b.atMs)
    this.#timers = this.#timers.filter(({ atMs }) => atMs > this.nowMs)
    for (const { work } of due) work()
    await this.quiet()
  }

  /** Counts work that ends without another step. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#underWay += 1
    try {
      return await work
    } finally {
      this.#underWay -= 1
    }
  }

  /** Lets devices do all that they can do without an answer: they wait for nothing else. */
  async quiet(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve))
    while (this.#underWay > 0)
  }

  /** Has the service carry out a request that is on its way. */
  async carry(message: Message): Promise<Answer> {
    const reply = await this.#ask(message, this.#serviceNodes.next)
    this.#take(reply)
    if (this.hr?.isOf(message)) await this.look()
    return reply.answer
  }

  /** Has nodes carry out requests at the same time, and do what is due. */
  async carryAtOnce(messages: readonly Message[]): Promise<void> {
    const asking = messages.map((message) => this.#ask(message, this.#serviceNodes.next))
    const [replies] = await Promise.all([Promise.all(asking), this.runDueJobs()])
    this.#take(...replies)
    if (messages.some((message) => this.hr?.isOf(message))) await this.look()
  }

  async answer(one: Reply): Promise<void> {
    this.network.answers = this.network.answers.filter((other) => other !== one)
    one.message.waiting?.resolve(one.answer)
    await this.quiet()
  }

  /** Carries out and answers what a computer asks, until it asks no more; a copy of years has hundreds of pages. */
  async flow(from?: string, most = 10_000): Promise<void> {
    const isIts = (message: Message) => from === undefined || message.computer === from
    for (let count = 0; count < most; count += 1) {
      const request = this.network.requests.find(isIts)
      if (request) await this.carry(request)
      const answer = this.network.answers.find(({ message }) => isIts(message))
      if (answer) await this.answer(answer)
      if (!request && !answer) return
    }
  }

  /** A program without a copy of its own changes something over REST. */
  program(user: User, method: string, path: string, content?: object): Promise<Answer> {
    return this.carry(this.message(user, method, path, content))
  }

  /** A request of a program without a copy of its own. */
  message(user: User, method: string, path: string, content?: object): Message {
    return {
      computer: 'program',
      device: 'program',
      user: user.id,
      method,
      path,
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
      body: content && JSON.stringify(content),
      page: undefined,
      waiting: undefined,
    }
  }

  /** Returns the service's records of a user. */
  async snapshot(user: User): Promise<{ text: string; there: PullResponse }> {
    const { text } = await this.#read(user, '/api/sync/pull')
    return { text, there: JSON.parse(text) as PullResponse }
  }

  /** Returns the service's proposals of a user. */
  async proposals(user: User): Promise<ExpiryProposal[]> {
    const { text } = await this.#read(user, '/api/account/proposals')
    return (JSON.parse(text) as { items: ExpiryProposal[] }).items
  }

  /** Returns the service's balance of a user. */
  async balance(user: User): Promise<{ balance_ms: number; recomputing: unknown[] }> {
    const { text } = await this.#read(user, '/api/balance')
    return JSON.parse(text)
  }

  /** True if the service has a recompute job for a user. */
  async isRecomputing(user: User): Promise<boolean> {
    return (await this.balance(user)).recomputing.length > 0
  }

  runDueJobs(): Promise<void> {
    return this.#serviceNodes.runDueJobs()
  }

  /**
   * A node is killed: at a moment of a request, which nobody hears of any more, or of its jobs. The answers that it
   * gave are lost on their way.
   */
  async killNode(node: number, moment: Moment, message: Message | undefined): Promise<void> {
    if (!this.#serviceNodes.isRunning(node)) return
    let reply: Reply | undefined
    const isTrue = await this.#serviceNodes.kill(node, moment, async () => {
      if (!message) return this.#serviceNodes.runDueJobs(node)
      reply = await this.#ask(message, node)
    })
    if (message && reply) {
      if (isTrue) this.ledgerOf(message.user).carried(reply)
      this.ledgerOf(message.user).reached(message)
      this.network.fail(message)
    }
    const lost = this.network.answers.filter((reply) => reply.node === node).map((reply) => reply.message)
    this.network.giveUp((message) => lost.includes(message))
    await this.look()
  }

  startNode(node: number): Promise<void> {
    return this.#serviceNodes.startNode(node)
  }

  skewNode(node: number, skewMs: number): void {
    this.#serviceNodes.skew(node, skewMs)
  }

  /** A node loses a connection to the database at a moment of a request. */
  async sever(moment: Moment, message: Message): Promise<void> {
    const node = this.#serviceNodes.next
    let reply: Reply | undefined
    await this.#serviceNodes.database.sever(node, moment, async () => {
      reply = await this.#ask(message, node)
      return reply.answer
    })
    this.#take(reply as Reply)
    this.ledgerOf(message.user).reached(message)
    await this.look()
  }

  severAll(): Promise<void> {
    return this.#serviceNodes.database.severAll()
  }

  /** The database's standby takes its place, in the middle of requests. */
  async failOver(messages: readonly Message[]): Promise<void> {
    await this.#serviceNodes.database.failOver(() => this.carryAtOnce(messages))
    for (const message of messages) this.ledgerOf(message.user).reached(message)
    await this.look()
  }

  calmNodes(): Promise<void> {
    return this.#serviceNodes.calm()
  }

  /** Stops the service, and with it every request under way; starts it again, maybe with another database. */
  async restartService(change: 'none' | 'backUp' | 'restore'): Promise<void> {
    const { database } = this.#serviceNodes
    await this.#serviceNodes.stop()
    if (change === 'backUp') {
      await database.backUp()
      for (const ledger of this.#ledgers.values()) ledger.backedUp()
    }
    if (change === 'restore' && database.hasBackup) {
      await database.restore()
      for (const [user, ledger] of this.#ledgers) ledger.restored(await this.baseRecordsOf(user))
    }
    await this.#serviceNodes.start()
  }

  /** Has a node carry out a request. */
  async #ask(message: Message, node: number): Promise<Reply> {
    this.network.requests = this.network.requests.filter((one) => one !== message)
    const isPoison = message.body?.includes(`"${POISON}"`)
    if (isPoison) return { message, answer: failure(500), node }
    const answer = await this.#serviceNodes.ask(node, { ...message, path: inSmallPages(message.path) })
    // The service must expect every fault of nodes and database.
    if (answer.status === 500) throw new Error(`the service failed at ${message.method} ${message.path}`)
    return { message, answer, node }
  }

  /** Answers of the service set out, to requests that it carried out at the same time. */
  #take(...replies: readonly Reply[]): void {
    for (const { message, answer } of replies) {
      if (answer.status < 300 && this.#userOf(message) !== message.user)
        throw new Error('the service took another user')
    }
    for (const [user, ledger] of this.#ledgers)
      ledger.carried(...replies.filter(({ message }) => message.user === user))
    this.network.answers.push(...replies.filter(({ message }) => message.waiting))
  }

  /** Finds out the outcome of unanswered requests. */
  async look(): Promise<void> {
    for (const user of this.users) {
      const { status, text } = await this.#read(user, '/api/sync/pull?since=0&limit=10000')
      // A pull behind the marker gets a snapshot (R3.5).
      const { changes, deleted } =
        status === 410 ? (await this.snapshot(user)).there : (JSON.parse(text) as PullResponse)
      this.ledgerOf(user.id).seen({ changes, deleted })
    }
  }

  #read(user: User, path: string): Promise<Answer> {
    return this.#serviceNodes.ask(this.#serviceNodes.next, this.message(user, 'GET', path))
  }

  /** The base records of all devices of a user. */
  async baseRecordsOf(user: UserNumber): Promise<BaseRecord[]> {
    const all = []
    for (const computer of this.computers) all.push(...((await computer.baseRecordsOf(user)) ?? []))
    return all
  }

  #userOf({ headers }: Message): number | undefined {
    if (this.hr?.isOf({ headers } as Message)) return this.hr.user
    return this.users.find(({ token }) => headers.authorization === `Bearer ${token}`)?.id
  }

  async close(): Promise<void> {
    for (const computer of this.computers) await computer.shutDown()
    await this.quiet()
    await this.#serviceNodes.stop()
    await this.#serviceNodes.database.remove()
    rmSync(this.folder, { recursive: true })
  }
}

/** The service may answer with fewer records than are asked for; so few that there is a next page. */
function inSmallPages(path: string): string {
  if (!path.startsWith('/api/sync/pull')) return path
  return path.includes('limit=') ? path.replace(/limit=\d+/, `limit=${PAGE}`) : `${path}&limit=${PAGE}`
}
