import { DAY_MS } from '@saldo/core'
import type { SyncEngine } from '../../packages/client/src/engine/sync-engine.ts'
import { requireClosedRight } from './check.ts'
import type { Computer } from './computer.ts'
import { at, contentOf, ids, type Kind, kinds, weeks } from './contents.ts'
import { corrupt } from './corruption.ts'
import { type Answer, failure, type Message } from './network.ts'
import type { Moment, User } from './service.ts'
import type { Tab } from './tab.ts'
import type { World } from './world.ts'

/** One thing that happens, with numbers that say to whom and how. A schedule of these is a whole run. */
export type Step = readonly [name: StepName, a: number, b: number, c: number]

const paths = { entries: 'entries', settings_history: 'settings', balance_adjustments: 'balance/adjustments' } as const

const foreign: Answer[] = [
  { status: 200, headers: new Headers({ 'content-type': 'text/html' }), text: '<html>Welcome to the hotel' },
  { status: 200, headers: new Headers(), text: '{"version":1,"results":[],"changes":{},"deleted":{}}' },
  { status: 302, headers: new Headers({ location: 'http://portal' }), text: '' },
  { status: 404, headers: new Headers(), text: 'Not Found' },
  { status: 204, headers: new Headers(), text: '' },
]
const failing = [429, 500, 503, 502, 408, 425].map(failure)

function refuse(world: World, message: Message | undefined, answer: Answer): Promise<void> {
  if (!message) return Promise.resolve()
  world.network.requests = world.network.requests.filter((one) => one !== message)
  if (!message.waiting) return Promise.resolve()
  world.network.answers.push({ message, answer })
  return world.answer({ message, answer })
}

const computer = (world: World, a: number) => at(world.computers, a) as Computer
const user = (world: World, n: number) => at(world.users, n) as User
const nodeOf = (world: World, a: number) => a % (world.setup.nodes ?? 1)
const momentOf = (b: number, c: number): Moment => ({ at: c % 2 === 0 ? 'before' : 'after', sending: 1 + (b % 8) })

/** Some requests that are on their way, five at most. */
function someRequests({ network }: World, a: number, b: number): Message[] {
  const first = network.requests.length > 0 ? a % network.requests.length : 0
  return network.requests.slice(first, first + 2 + (b % 4))
}

const kindOf = (b: number) => at(kinds, b) as Kind

/** One of the tabs of a computer that are there, whatever they do. */
function tab(world: World, a: number): Tab | undefined {
  const { tabs } = computer(world, a)
  return at(
    tabs.filter(({ page }) => !page.isGone),
    Math.floor(a / world.computers.length),
  )
}

/** A write over REST of a program without a local copy. */
function programWrite(world: World, a: number, b: number, c: number): Message {
  const kind = kindOf(b)
  const whose = user(world, a)
  const [path, id] = [`/api/${paths[kind]}`, at(ids, b >> 2)]
  const content = contentOf(kind, world.note(whose), c)
  if (c % 4 === 0) return world.message(whose, 'DELETE', `${path}/${id}`)
  if (c % 4 === 1) return world.message(whose, 'POST', path, { id, ...content })
  return world.message(whose, 'PUT', `${path}/${id}`, content)
}

/** Has a user do something in one of the tabs of a computer, in a new one where none takes it. */
function does(world: World, a: number, what: (device: SyncEngine, tab: Tab) => Promise<unknown>): void {
  const its = computer(world, a)
  if (its.old) return
  const ready = its.tabs.filter(({ page, isClosing }) => page.isRunning && !isClosing)
  const there = at(ready, Math.floor(a / world.computers.length)) ?? its.open()
  there?.does((device) => what(device, there))
}

/** Maximum deviation of a node's clock. */
const MOST_SKEW_MS = 180_000

/** Implementations of the steps. `a` selects the target. */
const doings = {
  async put(world, a, b, c) {
    const kind = kindOf(b)
    const its = computer(world, a)
    if (its.old) return putOld(world, its, b, c)
    does(world, a, async (device, { user, disk }) => {
      const note = world.note(user)
      await device.mutator.put(kind, contentOf(kind, note, c) as never, at([...ids, undefined], b >> 2))
      world.ledgerOf(user.id).acknowledged(disk.name, note)
    })
  },
  async delete(world, a, b, c) {
    const its = computer(world, a)
    if (its.old) return putOld(world, its, b, c, true)
    does(world, a, (device) => device.mutator.delete(kindOf(b), at(ids, b >> 2) as string))
  },
  async tray(world, a, b, c) {
    does(world, a, async (device, { disk, user }) => {
      const [first] = await disk.peek((tables) => tables.rejectedChanges.all())
      if (!first) return
      if (b % 3 === 0) await device.mutator.retry(first)
      else if (b % 3 === 1) await device.mutator.discard(first)
      else await device.mutator.edit(first, contentOf(first.change.kind as Kind, world.note(user), c))
    })
  },
  async takeBack(world, a, b) {
    does(world, a, async (device, { disk }) => {
      const [first] = await disk.peek((tables) => tables.conflicts.all())
      if (first) await (b % 4 === 0 ? device.mutator.dismiss(first) : device.mutator.restoreMine(first))
    })
  },
  async program(world, a, b, c) {
    await world.carry(programWrite(world, a, b, c))
  },
  async close(world, a, b, c) {
    const week = at(weeks, a) as string
    if (b % 3 === 0) await world.program(user(world, c), 'DELETE', `/api/closed-weeks/${week}`)
    else await world.program(user(world, c), 'POST', '/api/closed-weeks', { week })
  },
  async jobs(world) {
    await world.runDueJobs()
    for (const user of world.users) {
      if (world.setup.nodes === undefined || !(await world.isRecomputing(user)))
        requireClosedRight((await world.snapshot(user)).there)
    }
  },
  async wake(world, a) {
    const its = computer(world, a)
    if (its.old) return its.old.pulled((await world.snapshot(user(world, 0))).there)
    const one = tab(world, a)
    one?.page.enter(() => one.device.dispatch('syncRequested'))
  },
  async sync(world, a) {
    does(world, a, (device) => device.sync())
  },
  async hint(world, a, b) {
    const stream = at(world.network.streams, a)
    stream?.page.enter(() => stream.told(b % 20))
  },
  async endHints(world, a) {
    const stream = at(world.network.streams, a)
    world.network.endStreams((one) => one === stream)
  },
  async signedIn(world, a) {
    const one = tab(world, a)
    one?.page.enter(() => one.device.dispatch('signedIn'))
  },
  async switchUser(world, a, b) {
    const its = computer(world, a)
    its.signedIn = user(world, b)
    if (!its.old && its.tabsOf(its.signedIn).length === 0) its.open()
  },
  async open(world, a) {
    const its = computer(world, a)
    if (!its.old) its.open()
  },
  async closeTab(world, a) {
    const one = tab(world, a)
    if (one?.page.isRunning && !one.isClosing) one.close()
  },
  async kill(world, a) {
    tab(world, a)?.end()
  },
  async killSoon(world, a, b) {
    const one = tab(world, a)
    one?.disk.doom(1 + (b % 6), one.page, () => one.end())
  },
  async freeze(world, a, b) {
    tab(world, a)?.page.freeze(b % 2 === 0)
  },
  async freezeSoon(world, a, b) {
    const one = tab(world, a)
    one?.disk.doom(1 + (b % 6), one.page, () => one.page.freeze(false))
  },
  async thaw(world, a) {
    for (const { page } of computer(world, a).tabs) await page.thaw()
  },
  async show(world, a, b) {
    tab(world, a)?.page.show(b % 2 === 0)
  },
  async visit(world, a) {
    const its = computer(world, a)
    if (its.old) return
    const one = its.open()
    if (!one) return
    one.isClosing = true
    one.page.show(false)
    one.does(async (device) => {
      await device.sync()
      one.close()
    })
  },
  async slow(world, a) {
    computer(world, a).browser.slow(true)
  },
  async deliver(world, a, b) {
    const { browser } = computer(world, a)
    if (b % 3 === 0) browser.slow(false)
    else browser.deliver(b % 3)
  },
  async fill(world, a, b) {
    tab(world, a)?.disk.fill(b % 6)
  },
  async corrupt(world, a, b, c) {
    const one = tab(world, a)
    if (one) await corrupt(world, one, b, c)
  },
  async empty(world, a) {
    for (const { disk } of computer(world, a).tabs) disk.fill(Number.POSITIVE_INFINITY)
  },
  async upgrade(world, a) {
    await computer(world, a).upgrade()
  },
  async cut(world, a, b) {
    const { name, tabs } = computer(world, a)
    world.network.cut(name, true)
    if (b % 2 === 0) for (const { page } of tabs) page.connect(false)
  },
  async join(world, a) {
    const { name, tabs } = computer(world, a)
    world.network.cut(name, false)
    for (const { page } of tabs) page.connect(true)
  },
  async crash(world, a) {
    const its = computer(world, a)
    if (!its.old) await its.crash()
  },
  async crashSoon(world, a, b, c) {
    const its = computer(world, a)
    if (!its.old) its.crashAfter(1 + (b % 6), c % 2 === 0 ? undefined : c)
  },
  async skew(world, a, b, c) {
    computer(world, a).skewMs = (at([0, 1, -1], b) as number) * (c % 3 === 0 ? c * 2_637 : c)
  },
  async carry(world, a) {
    const message = at(world.network.requests, a)
    if (message) await world.carry(message)
  },
  async answer(world, a) {
    const one = at(world.network.answers, a)
    if (one) await world.answer(one)
  },
  async flow(world, a, b) {
    await world.flow(computer(world, a).name, 1 + (b % 30))
  },
  async calm(world) {
    for (const { tabs } of world.computers) {
      for (const { page, device } of tabs) page.enter(() => device.dispatch('syncRequested'))
    }
    await world.quiet()
    await world.flow()
  },
  async stall(world, a) {
    const one = at(world.network.answers, a)
    if (one) world.network.stall(one)
  },
  async resume(world) {
    world.network.resume()
  },
  async loseRequest(world, a) {
    const message = at(world.network.requests, a)
    world.network.requests = world.network.requests.filter((one) => one !== message)
    if (message) world.network.fail(message)
  },
  async loseAnswer(world, a) {
    const message = at(world.network.answers, a)?.message
    world.network.giveUp((one) => one === message)
  },
  async giveUp(world, a) {
    const message = at(world.network.requests, a)
    world.network.giveUp((one) => one === message)
  },
  async repeat(world, a) {
    const message = at(world.network.requests, a)
    if (message && message.method !== 'GET') world.network.requests.push({ ...message, waiting: undefined })
  },
  async expire(world, a) {
    const message = at(world.network.requests, a)
    if (message) message.headers = { ...message.headers, authorization: 'Bearer expired' }
  },
  async fail(world, a, b) {
    await refuse(world, at(world.network.requests, a), at(failing, b) as Answer)
  },
  async portal(world, a, b) {
    await refuse(world, at(world.network.requests, a), at(foreign, b) as Answer)
  },
  async pass(world, a, b) {
    await world.pass((at([100, 10_000, 400_000, 8 * 3_600_000], a) as number) * (1 + (b % 9)))
  },
  async month(world) {
    await world.pass(31 * DAY_MS)
  },
  async restart(world) {
    world.network.giveUp(({ computer }) => computer !== 'program')
    world.network.endStreams(() => true)
    await world.restartService('none')
  },
  async backUp(world) {
    await world.restartService('backUp')
  },
  async restore(world) {
    await world.restartService('restore')
  },
  async killNode(world, a, b, c) {
    const message = b % 4 === 0 ? undefined : at(world.network.requests, c)
    await world.killNode(nodeOf(world, a), momentOf(b, c), message)
    await world.quiet()
  },
  async startNode(world, a) {
    await world.startNode(nodeOf(world, a))
  },
  async skewNode(world, a, b) {
    world.skewNode(nodeOf(world, a), (b % (2 * MOST_SKEW_MS)) - MOST_SKEW_MS)
  },
  async upgradeNode(world, a) {
    await world.upgradeNode(nodeOf(world, a))
  },
  async sever(world, a, b, c) {
    const message = at(world.network.requests, a)
    if (message) await world.sever(momentOf(b, c), message)
  },
  async severAll(world) {
    await world.severAll()
  },
  async failOver(world, a, b) {
    await world.failOver(someRequests(world, a, b))
  },
  async plainEdit(world, _a, b, c) {
    // None that the service fails at, which would hold up all others.
    world.plain?.edit(kindOf(b), at(ids, b >> 2) as string, c % 31 === 1 ? c + 1 : c)
  },
  async plainSync(world, a) {
    await world.plain?.sync(at([0, 1, 2, 100], a))
  },
  async rush(world, a, b, c) {
    const requests = someRequests(world, a, b)
    const repeats = requests.filter(({ method }) => method !== 'GET').map((one) => ({ ...one, waiting: undefined }))
    const writes = [c, c >> 4].map((n) => programWrite(world, a, n, n))
    await world.carryAtOnce([...requests, ...repeats, ...writes])
  },
} satisfies Record<string, (world: World, a: number, b: number, c: number) => Promise<void>>

export type StepName = keyof typeof doings

export async function take(world: World, [name, a, b, c]: Step): Promise<void> {
  world.nowMs += 1 + (c % 40)
  await doings[name](world, a, b, c)
  await world.quiet()
}

/** A change that an old program queues, and that the service may already have. */
async function putOld(world: World, { old, skewMs }: Computer, b: number, c: number, isDelete = false): Promise<void> {
  const [kind, id] = [kindOf(b), at(ids, b >> 2) as string]
  const whose = user(world, 0)
  const content = isDelete ? null : contentOf(kind, world.note(whose), c)
  const change = await old?.change(kind, id, content, world.nowMs + skewMs)
  if (change && c % 5 === 0) await world.program(whose, 'POST', '/api/sync/push', { changes: [change] })
}
