import type { Saldo } from '@saldo/client'
import type { RecordId } from '@saldo/core'
import { expect } from 'vitest'
import type { Fault } from './exchange.ts'
import { Gate, slowBack, slowThere } from './faults.ts'
import { Bench, eventually, type KillableComputer, type Tab } from './workbench.ts'

type Collection = 'entries' | 'settings' | 'balanceAdjustments'
const paths = { entries: '/api/entries', settings: '/api/settings', balanceAdjustments: '/api/balance/adjustments' }
const collections = Object.keys(paths) as Collection[]

const WRITES = /^(PUT|DELETE|POST) (?!\/api\/auth)/

/** A user's day in one browser, and what must be there at its end. */
export class Day {
  readonly #bench: Bench
  readonly #computer: KillableComputer
  #tab: Tab
  #tabs = 1
  /** The expected entries by their name in the script. */
  readonly #records = new Map<string, { in: Collection; id: RecordId; content: object }>()

  private constructor(bench: Bench, computer: KillableComputer, tab: Tab) {
    this.#bench = bench
    this.#computer = computer
    this.#tab = tab
  }

  static async begin(): Promise<Day> {
    const bench = await Bench.open({ own: true })
    const computer = await bench.killableComputer()
    return new Day(bench, computer, await computer.tab('tab 1'))
  }

  async put(to: Collection, name: string, content: object): Promise<void> {
    const id = crypto.randomUUID()
    this.#records.set(name, { in: to, id, content })
    await this.#tab.do((saldo, { to, content, id }) => saldo[to].create(content as never, { id }), { to, content, id })
    await this.#expectShown()
  }

  async change(of: Collection, name: string, patch: object): Promise<void> {
    const { id, content } = this.#named(name)
    this.#records.set(name, { in: of, id, content: { ...content, ...patch } })
    await this.#tab.do((saldo, { of, id, patch }) => saldo[of].update(id, patch as never), { of, id, patch })
    await this.#expectShown()
  }

  async remove(of: Collection, name: string): Promise<void> {
    const { id } = this.#named(name)
    this.#records.delete(name)
    await this.#tab.do((saldo, { of, id }) => saldo[of].delete(id), { of, id })
    await this.#expectShown()
  }

  /** Does something while a fault is in force; something must meet it. */
  async during(fault: Fault, work: () => Promise<void>): Promise<void> {
    const trouble = this.#bench.proxy.put({}, fault)
    await work()
    await this.#tab.do((saldo) => saldo.sync())
    expect(trouble.met).not.toEqual([])
    trouble.lift()
  }

  /** Starts an action and closes the tab while its request is in flight; the request or its answer still arrives. */
  async killTabWhile(where: 'there' | 'back', work: () => Promise<void>): Promise<void> {
    await this.#whileOnTheWay(where, work, () => this.#tab.page.close())
    await this.#openTab()
  }

  /** Begins something, and kills the service while it is at it. */
  async killServiceWhile(work: () => Promise<void>): Promise<void> {
    const { proxy } = this.#bench
    const trouble = proxy.put({ on: WRITES, times: 1 }, async (exchange) => {
      const [answer] = await Promise.allSettled([exchange.forward(), this.#bench.killService()])
      if (answer.status === 'fulfilled') await exchange.send(answer.value)
      else exchange.cut()
    })
    await work()
    expect(trouble.met).toHaveLength(1)
    trouble.lift()
  }

  async killBrowser(): Promise<void> {
    await this.#computer.kill()
    await this.#computer.reopen()
    await this.#openTab()
  }

  /** Starts the service, and kills the browser while the answer to all that waited is on its way back. */
  async startServiceAndKillBrowser(): Promise<void> {
    const push = async () => {
      await this.#bench.startService()
      await this.#tab.do((saldo) => saldo.sync())
    }
    await this.#whileOnTheWay('back', push, () => this.#computer.kill())
    await this.#computer.reopen()
    await this.#openTab()
  }

  /** Waits until the service has everything. Signs in if asked, because a killed browser loses its cookies. */
  async synced(): Promise<void> {
    await eventually(async () => {
      await this.#tab.do((saldo) => saldo.sync())
      if ((await this.whatIsLeftToDo()).needsSignIn) await this.#signIn()
      expect(await this.whatIsLeftToDo()).toMatchObject({ state: 'idle', unsent: 0 })
    })
  }

  async signedOutBehindItsBack(): Promise<void> {
    await this.#computer.context.clearCookies()
  }

  async signInAgain(): Promise<void> {
    await eventually(async () => expect(await this.whatIsLeftToDo()).toMatchObject({ needsSignIn: true, unsent: 1 }))
    await this.#signIn()
  }

  whatIsLeftToDo() {
    return this.#tab.do((saldo) => saldo.status.read())
  }

  /** The service, this browser and another one hold what the script expects, and nothing else. */
  async expectThatAllHaveTheSame(): Promise<void> {
    for (const where of collections) {
      const { items } = await this.#bench.ask(paths[where])
      expectSame(items, this.#expected(where))
    }
    await this.#expectShown()
    this.#tab = await (await this.#bench.computer()).tab('another')
    await this.synced()
    await this.#expectShown()
  }

  async #signIn(): Promise<void> {
    const { email, password } = this.#bench.person
    await this.#tab.do((saldo, [email, password]) => saldo.userAccount.signIn(email, password), [
      email,
      password,
    ] as const)
  }

  #named(name: string) {
    const record = this.#records.get(name)
    if (!record) throw new Error(`nothing is called ${name}`)
    return record
  }

  #expected(where: Collection): object[] {
    return [...this.#records.values()].filter((one) => one.in === where).map(({ id, content }) => ({ id, ...content }))
  }

  async #expectShown(): Promise<void> {
    const shown = await this.#tab.do(shownIn)
    for (const where of collections) expectSame(shown[where], this.#expected(where))
  }

  async #whileOnTheWay(where: 'there' | 'back', work: () => Promise<void>, kill: () => Promise<void>): Promise<void> {
    const gate = new Gate()
    const { proxy } = this.#bench
    const slow = proxy.put({ on: WRITES }, where === 'there' ? slowThere(gate) : slowBack(gate))
    // It ends with the tab.
    const working = work().catch(() => {})
    await proxy.until(() => slow.met.some(({ status }) => where === 'there' || status !== undefined))
    await kill()
    await working
    slow.lift()
    gate.open()
  }

  async #openTab(): Promise<void> {
    this.#tabs += 1
    this.#tab = await this.#computer.tab(`tab ${this.#tabs}`)
    await this.#expectShown()
  }
}

async function shownIn(saldo: Saldo) {
  const records = async (where: Collection) => (await saldo[where].all().read()).map(({ record }) => record as object)
  return {
    entries: await records('entries'),
    settings: await records('settings'),
    balanceAdjustments: await records('balanceAdjustments'),
  }
}

function expectSame(records: object[], expected: object[]): void {
  const byId = (rows: object[]) =>
    rows.toSorted((a, b) => ((a as { id: string }).id < (b as { id: string }).id ? -1 : 1))
  expect(byId(records)).toMatchObject(byId(expected))
}
