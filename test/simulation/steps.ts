import {
  type ContentInput,
  DAY_MS,
  type Entry,
  expiryId,
  expiryOf,
  instantOf,
  isTimed,
  isUntouchedHoliday,
  type LocalDate,
  type RecordId,
} from '@saldo/core'
import type { SyncEngine } from '../../packages/client/src/engine/sync-engine.ts'
import { listProposals, listShownRecords } from '../../packages/client/src/queries/queries.ts'
import type { RejectedChange } from '../../packages/client/src/store/rows.ts'
import { requireClosedRight, requireMade } from './check.ts'
import { type Hr, months } from './company.ts'
import type { Computer } from './computer.ts'
import { at, BATCH, contentOf, ids, importedEntries, type Kind, kinds, periodEnds, weeks } from './contents.ts'
import { corrupt } from './corruption.ts'
import { type Answer, failure, type Message } from './network.ts'
import type { Moment, User } from './service.ts'
import type { Simulation } from './simulation.ts'
import type { Tab } from './tab.ts'

/** One step with three numbers that select its target and variant. A schedule of steps is a run. */
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

function refuse(simulation: Simulation, message: Message | undefined, answer: Answer): Promise<void> {
  if (!message) return Promise.resolve()
  simulation.network.requests = simulation.network.requests.filter((one) => one !== message)
  if (!message.waiting) return Promise.resolve()
  simulation.network.answers.push({ message, answer })
  return simulation.answer({ message, answer })
}

const computer = (simulation: Simulation, a: number) => at(simulation.computers, a) as Computer
const user = (simulation: Simulation, n: number) => at(simulation.users, n) as User
const nodeOf = (simulation: Simulation, a: number) => a % (simulation.setup.nodes ?? 1)
const momentOf = (b: number, c: number): Moment => ({ at: c % 2 === 0 ? 'before' : 'after', sending: 1 + (b % 8) })

/** Some requests that are on their way, five at most. */
function someRequests({ network }: Simulation, a: number, b: number): Message[] {
  const first = network.requests.length > 0 ? a % network.requests.length : 0
  return network.requests.slice(first, first + 2 + (b % 4))
}

const kindOf = (b: number) => at(kinds, b) as Kind

/** Returns one of the open tabs of a computer, frozen or not. */
function tab(simulation: Simulation, a: number): Tab | undefined {
  const { tabs } = computer(simulation, a)
  return at(
    tabs.filter(({ page }) => !page.isGone),
    Math.floor(a / simulation.computers.length),
  )
}

/** A write over REST of a program without a local copy. */
function programWrite(simulation: Simulation, a: number, b: number, c: number): Message {
  const kind = kindOf(b)
  const whose = user(simulation, a)
  const [path, id] = [`/api/${paths[kind]}`, at(ids, b >> 2)]
  const content = contentOf(kind, simulation.note(whose), c)
  if (c % 4 === 0) return simulation.message(whose, 'DELETE', `${path}/${id}`)
  if (c % 4 === 1) return simulation.message(whose, 'POST', path, { id, ...content })
  return simulation.message(whose, 'PUT', `${path}/${id}`, content)
}

/** Has a user do something in one of the tabs of a computer, in a new one where none takes it. */
function does(simulation: Simulation, a: number, what: (device: SyncEngine, tab: Tab) => Promise<unknown>): void {
  const its = computer(simulation, a)
  if (its.old) return
  const ready = its.tabs.filter(({ page, isClosing }) => page.isRunning && !isClosing)
  const there = at(ready, Math.floor(a / simulation.computers.length)) ?? its.open()
  there?.does((device) => what(device, there))
}

/** Returns the entries of the import that a device shows. */
async function importedIn(disk: Tab['disk']): Promise<Entry[]> {
  const rows = await disk.peek((tables) => listShownRecords(tables, 'entries'))
  return rows.map(({ record }) => record).filter(({ source }) => source === BATCH)
}

/** Maximum deviation of a node's clock. */
const MOST_SKEW_MS = 180_000

/** Implementations of the steps. `a` selects the target. */
const doings = {
  async put(simulation, a, b, c) {
    const kind = kindOf(b)
    const its = computer(simulation, a)
    if (its.old) return putOld(simulation, its, b, c)
    does(simulation, a, async (device, { user, disk }) => {
      const note = simulation.note(user)
      const id = at([...ids, undefined], b >> 2)
      await device.mutator.put(kind, contentOf(kind, note, c) as never, id && { id }).settled
      simulation.ledgerOf(user.id).acknowledged(disk.name, note)
    })
  },
  async delete(simulation, a, b, c) {
    const its = computer(simulation, a)
    if (its.old) return putOld(simulation, its, b, c, true)
    does(simulation, a, (device) => device.mutator.delete(kindOf(b), at(ids, b >> 2) as RecordId).settled)
  },
  async importFile(simulation, a, b, c) {
    does(simulation, a, async (device, { user, disk }) => {
      const { mark } = simulation.ledgerOf(user.id)
      const there = new Set((await importedIn(disk)).map(({ id }) => id))
      const added = importedEntries(mark).filter(({ id }) => !there.has(id))
      // Cancelled after some of the steps, or the tab ends between two of them.
      for (let done = 0; done < added.length && done <= c % 8; done += 1 + (b % 3)) {
        const step = added.slice(done, done + 1 + (b % 3))
        await device.mutator.queueAll('entries', step)
        for (const { content } of step) simulation.ledgerOf(user.id).acknowledged(disk.name, content.note ?? '')
      }
    })
  },
  async undoImport(simulation, a) {
    does(simulation, a, async (device, { disk }) => {
      const batch = await importedIn(disk)
      await device.mutator.queueAll(
        'entries',
        batch.map(({ id }) => ({ id, content: null })),
      )
    })
  },
  async holiday(simulation, a, b, c) {
    does(simulation, a, async (device, { user, disk }) => {
      const rows = await disk.peek((tables) => listShownRecords(tables, 'entries'))
      const generated = rows.map(({ record }) => record).filter(isUntouchedHoliday)
      const entry = at(generated, b)
      if (!entry || isTimed(entry)) return
      if (c % 2 === 0) return device.mutator.delete('entries', entry.id).settled
      const note = simulation.note(user)
      const content = { kind: 'public_holiday', date: entry.date, day_share: 0.5, note } as const
      await device.mutator.put('entries', content, { id: entry.id }).settled
      simulation.ledgerOf(user.id).acknowledged(disk.name, note)
    })
  },
  async decide(simulation, a, b, c) {
    does(simulation, a, async (device, { user, disk }) => {
      const proposals = await disk.peek((tables) => listProposals(tables, user.id, simulation.nowMs))
      const undecided = proposals.find(({ state }) => state === 'open' || state === 'changed')
      // Devices may know of closed weeks and limits that others do not.
      const proposal = undecided ?? { period_end: at(periodEnds, b) as LocalDate, excess_ms: 1 + c }
      const note = simulation.note(user)
      const content = expiryOf(proposal, b % 3 === 0 ? 'decline' : 'accept', note)
      await device.mutator.put('balance_adjustments', content, { id: expiryId(user.id, proposal.period_end) }).settled
      simulation.ledgerOf(user.id).acknowledged(disk.name, note)
    })
  },
  async handleRejected(simulation, a, b, c) {
    does(simulation, a, async (device, { disk, user }) => {
      const [first] = await disk.peek((tables) => tables.rejectedChanges.all())
      if (!first) return
      if (b % 3 === 0) await device.mutator.retry(first)
      else if (b % 3 === 1) await device.mutator.discard(first)
      else await device.mutator.edit(first, contentOf(first.change.kind, simulation.note(user), c))
    })
  },
  async takeBack(simulation, a, b) {
    does(simulation, a, async (device, { disk }) => {
      const [first] = await disk.peek((tables) => tables.conflicts.all())
      if (first) await (b % 4 === 0 ? device.mutator.dismiss(first) : device.mutator.restoreMine(first))
    })
  },
  async program(simulation, a, b, c) {
    await simulation.carry(programWrite(simulation, a, b, c))
  },
  async close(simulation, a, b, c) {
    const week = at(weeks, a) as string
    if (b % 3 === 0) await simulation.program(user(simulation, c), 'DELETE', `/api/closed-weeks/${week}`)
    else await simulation.program(user(simulation, c), 'POST', '/api/closed-weeks', { week })
  },
  async jobs(simulation) {
    await simulation.runDueJobs()
    for (const user of simulation.users) {
      if (simulation.setup.nodes === undefined || !(await simulation.isRecomputing(user)))
        requireClosedRight((await simulation.snapshot(user)).there)
    }
  },
  async wake(simulation, a) {
    const its = computer(simulation, a)
    if (its.old) return its.old.pulled((await simulation.snapshot(user(simulation, 0))).there)
    const one = tab(simulation, a)
    one?.page.enter(() => one.device.dispatch('syncRequested'))
  },
  async sync(simulation, a) {
    does(simulation, a, (device) => device.sync())
  },
  async notify(simulation, a, b) {
    const stream = at(simulation.network.streams, a)
    stream?.page.enter(() => stream.notify(b % 20))
  },
  async endNotifications(simulation, a) {
    const stream = at(simulation.network.streams, a)
    simulation.network.endStreams((one) => one === stream)
  },
  async switchUser(simulation, a, b) {
    const its = computer(simulation, a)
    its.signedIn = user(simulation, b)
    if (!its.old && its.tabsOf(its.signedIn).length === 0) its.open()
  },
  async open(simulation, a) {
    const its = computer(simulation, a)
    if (!its.old) its.open()
  },
  async closeTab(simulation, a) {
    const one = tab(simulation, a)
    if (one?.page.isRunning && !one.isClosing) one.close()
  },
  async kill(simulation, a) {
    tab(simulation, a)?.end()
  },
  async killSoon(simulation, a, b) {
    const one = tab(simulation, a)
    one?.disk.scheduleFault(1 + (b % 6), one.page, () => one.end())
  },
  async freeze(simulation, a, b) {
    tab(simulation, a)?.page.freeze(b % 2 === 0)
  },
  async freezeSoon(simulation, a, b) {
    const one = tab(simulation, a)
    one?.disk.scheduleFault(1 + (b % 6), one.page, () => one.page.freeze(false))
  },
  async thaw(simulation, a) {
    for (const { page } of computer(simulation, a).tabs) await page.thaw()
  },
  async show(simulation, a, b) {
    tab(simulation, a)?.page.show(b % 2 === 0)
  },
  async visit(simulation, a) {
    const its = computer(simulation, a)
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
  async slow(simulation, a) {
    computer(simulation, a).browser.slow(true)
  },
  async deliver(simulation, a, b) {
    const { browser } = computer(simulation, a)
    if (b % 3 === 0) browser.slow(false)
    else browser.deliver(b % 3)
  },
  async fill(simulation, a, b) {
    tab(simulation, a)?.disk.fill(b % 6)
  },
  async corrupt(simulation, a, b, c) {
    const one = tab(simulation, a)
    if (one) await corrupt(simulation, one, b, c)
  },
  async empty(simulation, a) {
    for (const { disk } of computer(simulation, a).tabs) disk.fill(Number.POSITIVE_INFINITY)
  },
  async upgrade(simulation, a) {
    await computer(simulation, a).upgrade()
  },
  async cut(simulation, a, b) {
    const { name, tabs } = computer(simulation, a)
    simulation.network.cut(name, true)
    if (b % 2 === 0) for (const { page } of tabs) page.connect(false)
  },
  async join(simulation, a) {
    const { name, tabs } = computer(simulation, a)
    simulation.network.cut(name, false)
    for (const { page } of tabs) page.connect(true)
  },
  async crash(simulation, a) {
    const its = computer(simulation, a)
    if (!its.old) await its.crash()
  },
  async crashSoon(simulation, a, b, c) {
    const its = computer(simulation, a)
    if (!its.old) its.crashAfter(1 + (b % 6), c % 2 === 0 ? undefined : c)
  },
  async skew(simulation, a, b, c) {
    computer(simulation, a).skewMs = (at([0, 1, -1], b) as number) * (c % 3 === 0 ? c * 2_637 : c)
  },
  async carry(simulation, a) {
    const message = at(simulation.network.requests, a)
    if (message) await simulation.carry(message)
  },
  async answer(simulation, a) {
    const one = at(simulation.network.answers, a)
    if (one) await simulation.answer(one)
  },
  async flow(simulation, a, b) {
    await simulation.flow(computer(simulation, a).name, 1 + (b % 30))
  },
  async calm(simulation) {
    for (const { tabs } of simulation.computers) {
      for (const { page, device } of tabs) page.enter(() => device.dispatch('syncRequested'))
    }
    await simulation.quiet()
    await simulation.flow()
  },
  async stall(simulation, a) {
    const one = at(simulation.network.answers, a)
    if (one) simulation.network.stall(one)
  },
  async resume(simulation) {
    simulation.network.resume()
  },
  async loseRequest(simulation, a) {
    const message = at(simulation.network.requests, a)
    simulation.network.requests = simulation.network.requests.filter((one) => one !== message)
    if (message) simulation.network.fail(message)
  },
  async loseAnswer(simulation, a) {
    const message = at(simulation.network.answers, a)?.message
    simulation.network.giveUp((one) => one === message)
  },
  async giveUp(simulation, a) {
    const message = at(simulation.network.requests, a)
    simulation.network.giveUp((one) => one === message)
  },
  async repeat(simulation, a) {
    const message = at(simulation.network.requests, a)
    if (message && message.method !== 'GET') simulation.network.requests.push({ ...message, waiting: undefined })
  },
  async expire(simulation, a) {
    const message = at(simulation.network.requests, a)
    if (message) message.headers = { ...message.headers, authorization: 'Bearer expired' }
  },
  async fail(simulation, a, b) {
    await refuse(simulation, at(simulation.network.requests, a), at(failing, b) as Answer)
  },
  async portal(simulation, a, b) {
    await refuse(simulation, at(simulation.network.requests, a), at(foreign, b) as Answer)
  },
  async pass(simulation, a, b) {
    await simulation.pass((at([100, 10_000, 400_000, 8 * 3_600_000], a) as number) * (1 + (b % 9)))
  },
  async month(simulation) {
    await simulation.pass(31 * DAY_MS)
  },
  async restart(simulation) {
    simulation.network.giveUp(({ computer }) => computer !== 'program')
    simulation.network.endStreams(() => true)
    await simulation.restartService('none')
  },
  async backUp(simulation) {
    await simulation.restartService('backUp')
  },
  async restore(simulation) {
    await simulation.restartService('restore')
  },
  async killNode(simulation, a, b, c) {
    const message = b % 4 === 0 ? undefined : at(simulation.network.requests, c)
    await simulation.killNode(nodeOf(simulation, a), momentOf(b, c), message)
    await simulation.quiet()
  },
  async startNode(simulation, a) {
    await simulation.startNode(nodeOf(simulation, a))
  },
  async skewNode(simulation, a, b) {
    simulation.skewNode(nodeOf(simulation, a), (b % (2 * MOST_SKEW_MS)) - MOST_SKEW_MS)
  },
  async sever(simulation, a, b, c) {
    const message = at(simulation.network.requests, a)
    if (message) await simulation.sever(momentOf(b, c), message)
  },
  async severAll(simulation) {
    await simulation.severAll()
  },
  async failOver(simulation, a, b) {
    await simulation.failOver(someRequests(simulation, a, b))
  },
  async plainEdit(simulation, _a, b, c) {
    // None that the service fails at, which would hold up all others.
    simulation.plain?.edit(kindOf(b), at(ids, b >> 2) as RecordId, c % 31 === 1 ? c + 1 : c)
  },
  async plainSync(simulation, a) {
    await simulation.plain?.sync(at([0, 1, 2, 100], a))
  },
  async lock(simulation, a, b) {
    const action = b % 4 === 0 ? 'reopen' : 'lock'
    const path = `/api/team/months/${at(months, b >> 2)}/${action}`
    await byHr(simulation, a, (hr) => hr.message('POST', path, { users: [hr.member], reason: 'The simulation acts' }))
  },
  async hrChange(simulation, a, b, c) {
    const whose = user(simulation, 0)
    const [kind, id, updated_at] = [kindOf(b), at(ids, b >> 2), instantOf(simulation.nowMs)]
    // None that the service fails at.
    const content = contentOf(kind, simulation.note(whose), c % 31 === 1 ? c + 1 : c)
    const isDelete = c % 5 === 0
    const change = isDelete
      ? { kind, op: 'delete', id, updated_at }
      : { kind, op: 'upsert', record: { ...content, id, updated_at } }
    await byHr(simulation, a, (hr) => hr.change(change))
  },
  async ask(simulation, a) {
    does(simulation, a, async (device, { disk, user }) => {
      const rejected = (await disk.peek((tables) => tables.rejectedChanges.all())).find(({ problem }) =>
        ['locked', 'approval_needed'].includes(problem.code ?? ''),
      )
      if (!rejected) return
      const note = simulation.note(user)
      await device.mutator.put('entries', correctionOf(rejected.change, note)).settled
      simulation.ledgerOf(user.id).acknowledged(disk.name, note)
      await device.mutator.discard(rejected)
    })
  },
  async approve(simulation, a, b) {
    const { hr } = simulation
    if (!hr) return
    await simulation.runDueJobs()
    const approved = await hr.decide(a, b % 4 !== 0, b % 2 === 0)
    await simulation.look()
    if (approved !== undefined) requireMade((await simulation.snapshot(user(simulation, 0))).there, approved)
  },
  async rush(simulation, a, b, c) {
    const requests = someRequests(simulation, a, b)
    const repeats = requests.filter(({ method }) => method !== 'GET').map((one) => ({ ...one, waiting: undefined }))
    const writes = [c, c >> 4].map((n) => programWrite(simulation, a, n, n))
    await simulation.carryAtOnce([...requests, ...repeats, ...writes])
  },
} satisfies Record<string, (simulation: Simulation, a: number, b: number, c: number) => Promise<void>>

export type StepName = keyof typeof doings

export async function take(simulation: Simulation, [name, a, b, c]: Step): Promise<void> {
  simulation.nowMs += 1 + (c % 40)
  await doings[name](simulation, a, b, c)
  await simulation.quiet()
}

/** A request that holds a rejected change whole, as the app makes it (D27.10). */
function correctionOf(
  { kind, id, content, updatedAt }: RejectedChange['change'],
  note: string,
): ContentInput<'entries'> {
  const change =
    content === null
      ? { kind, op: 'delete', id, updated_at: updatedAt }
      : { kind, op: 'upsert', record: { ...content, id, updated_at: updatedAt } }
  return { kind: 'request', asks: 'change', date: '2026-11-01', last_date: '2026-11-01', changes: [change], note }
}

/** HR acts at once, or the request is on its way, so that it is late, repeated, lost or cut off by a fault. */
async function byHr(simulation: Simulation, a: number, messageOf: (hr: Hr) => Message): Promise<void> {
  const { hr } = simulation
  if (!hr) return
  // Whoever has not signed in yet does so.
  await hr.call('GET', '/api/team')
  const message = messageOf(hr)
  if (a % 3 === 0) simulation.network.requests.push(message)
  else await simulation.carry(message)
}

/** A change that an old program queues, and that the service may already have. */
async function putOld(
  simulation: Simulation,
  { old, skewMs }: Computer,
  b: number,
  c: number,
  isDelete = false,
): Promise<void> {
  const [kind, id] = [kindOf(b), at(ids, b >> 2) as RecordId]
  const whose = user(simulation, 0)
  const content = isDelete ? null : contentOf(kind, simulation.note(whose), c)
  const change = await old?.change(kind, id, content, simulation.nowMs + skewMs)
  if (change && c % 5 === 0) await simulation.program(whose, 'POST', '/api/sync/push', { changes: [change] })
}
