import { DAY_MS } from '@saldo/core'
import { type Chance, chanceOf } from './chance.ts'
import type { Computer } from './computer.ts'
import { type Answer, failure, type Message } from './network.ts'
import { POISON, quiet, type World } from './world.ts'

/** One thing that happens, with numbers that say to whom and how. A schedule of these is a whole run. */
export type Step = readonly [name: StepName, a: number, b: number, c: number]

const ids = ['1', '2', '3'].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`)
const weeks = ['2026-W43', '2026-W44', '2026-W45', '2026-W46']
const paths = { entries: 'entries', settings_history: 'settings', balance_adjustments: 'balance/adjustments' } as const
const kinds = ['entries', 'entries', 'settings_history', 'balance_adjustments'] as const

const date = (n: number) => new Date(Date.parse('2026-10-19') + (n % 28) * DAY_MS).toISOString().slice(0, 10)

/** Content that no other edit has. */
function contentOf(kind: (typeof kinds)[number], note: string, n: number): object {
  switch (kind) {
    case 'entries': {
      if (n % 5 === 0) return { kind: 'sick', date: date(n), day_share: 0.5, note }
      const ended_at = n % 3 === 0 ? null : `${date(n)}T${10 + (n % 9)}:00:00Z`
      const tags = n % 31 === 1 ? [POISON] : []
      return { kind: 'work', started_at: `${date(n)}T08:00:00Z`, ended_at, note, tags }
    }
    case 'settings_history': {
      const auto_close = n % 4 === 0 ? { day_after_ms: DAY_MS, week_after_days: 1 } : null
      const target_ms = [...Array(5).fill((4 + (n % 5)) * 3_600_000), 0, 0]
      return { effective_from: date(n), time_zone: 'Europe/Berlin', target_ms, auto_close, note }
    }
    case 'balance_adjustments': {
      // Two large ones are more than a balance may hold, so the second is refused.
      const delta_ms = n % 6 === 0 ? 3 * 2 ** 50 : 1 + n
      return { effective_date: date(n), delta_ms, kind: 'correction', reason: note }
    }
  }
}

const foreign: Answer[] = [
  { status: 200, headers: new Headers({ 'content-type': 'text/html' }), text: '<html>Welcome to the hotel' },
  { status: 200, headers: new Headers(), text: '{"version":1,"results":[],"changes":{},"deleted":{}}' },
  { status: 302, headers: new Headers({ location: 'http://portal' }), text: '' },
  { status: 404, headers: new Headers(), text: 'Not Found' },
  { status: 204, headers: new Headers(), text: '' },
]
const failing = [429, 500, 503, 502, 408, 425].map(failure)

const at = <T>(list: readonly T[], n: number): T | undefined => list[n % list.length]

function refuse(world: World, message: Message | undefined, answer: Answer): Promise<void> {
  if (!message) return Promise.resolve()
  world.network.requests = world.network.requests.filter((one) => one !== message)
  if (!message.waiting) return Promise.resolve()
  world.network.answers.push({ message, answer })
  return world.answer({ message, answer })
}

const computer = (world: World, n: number) => at(world.computers, n) as Computer

/** What each step does. `a` says to whom. */
const doings = {
  async put(world, a, b, c) {
    const kind = at(kinds, b) as (typeof kinds)[number]
    const content = contentOf(kind, `n${world.chance.uuid()}`, c)
    computer(world, a).does((device) => device.put(kind, content as never, at([...ids, undefined], b >> 2)))
  },
  async delete(world, a, b) {
    const kind = at(kinds, b) as (typeof kinds)[number]
    computer(world, a).does((device) => device.delete(kind, at(ids, b >> 2) as string))
  },
  async tray(world, a, b) {
    computer(world, a).does(async (device) => {
      const [first] = await device.refused()
      if (first) await (b % 2 === 0 ? device.retry(first) : device.discard(first))
    })
  },
  async takeBack(world, a) {
    computer(world, a).does(async (device) => {
      const [first] = await device.overridden()
      if (first) await device.takeMineBack(first)
    })
  },
  async program(world, _a, b, c) {
    const kind = at(kinds, b) as (typeof kinds)[number]
    const [path, id] = [`/api/${paths[kind]}`, at(ids, b >> 2)]
    const content = contentOf(kind, `n${world.chance.uuid()}`, c)
    if (c % 4 === 0) await world.program('DELETE', `${path}/${id}`)
    else if (c % 4 === 1) await world.program('POST', path, { id, ...content })
    else await world.program('PUT', `${path}/${id}`, content)
  },
  async close(world, a, b) {
    const week = at(weeks, a) as string
    if (b % 3 === 0) await world.program('DELETE', `/api/closed-weeks/${week}`)
    else await world.program('POST', '/api/closed-weeks', { week })
  },
  async jobs(world) {
    await world.runDueJobs()
  },
  async wake(world, a) {
    computer(world, a).device.happen('woken')
  },
  async signedIn(world, a) {
    computer(world, a).device.happen('signedIn')
  },
  async cut(world, a, b) {
    const { name, device } = computer(world, a)
    world.network.cut(name, true)
    if (b % 2 === 0) device.happen('offline')
  },
  async join(world, a) {
    const { name, device } = computer(world, a)
    world.network.cut(name, false)
    device.happen('online')
  },
  async crash(world, a) {
    await computer(world, a).crash()
  },
  async crashSoon(world, a, b, c) {
    computer(world, a).crashAfter(1 + (b % 6), c % 2 === 0 ? undefined : c)
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
    for (const { device } of world.computers) device.happen('woken')
    await quiet()
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
    world.network.giveUp(({ from }) => from !== '')
    await world.restartService('none')
  },
  async backUp(world) {
    await world.restartService('backUp')
  },
  async restore(world) {
    await world.restartService('restore')
  },
} satisfies Record<string, (world: World, a: number, b: number, c: number) => Promise<void>>

export type StepName = keyof typeof doings

export async function take(world: World, [name, a, b, c]: Step): Promise<void> {
  world.nowMs += 1 + (c % 40)
  await doings[name](world, a, b, c)
  await quiet()
}

/** How often each thing happens in a schedule. */
const weights: Record<StepName, number> = {
  put: 30,
  delete: 6,
  tray: 2,
  takeBack: 3,
  program: 4,
  close: 3,
  jobs: 1,
  wake: 12,
  signedIn: 3,
  cut: 2,
  join: 3,
  crash: 3,
  crashSoon: 3,
  skew: 3,
  carry: 45,
  answer: 45,
  flow: 12,
  calm: 4,
  stall: 5,
  resume: 3,
  loseRequest: 4,
  loseAnswer: 5,
  giveUp: 4,
  repeat: 4,
  expire: 2,
  fail: 4,
  portal: 3,
  pass: 8,
  month: 1,
  restart: 1,
  backUp: 2,
  restore: 3,
}

/** A run: how many devices, and what happens. */
export interface Schedule {
  seed: number
  devices: number
  steps: Step[]
}

/**
 * The schedule of a seed. Each leaves some things out and has others often, and some touch few records: what goes wrong
 * only where much of one kind comes together is seldom seen among everything at once. Half of them have no restore, so
 * that what holds within one history is seen.
 */
export function scheduleOf(seed: number): Schedule {
  const chance = chanceOf(seed)
  const names = Object.keys(weights) as StepName[]
  const isOneHistory = chance.below(2) === 0
  const often = (name: StepName) => (isOneHistory && name === 'restore' ? 0 : (at([0, 1, 1, 4], chance.below(4)) ?? 0))
  const bag = names.flatMap((name) =>
    Array<StepName>(Math.max(weights[name] * often(name), needed[name] ?? 0)).fill(name),
  )
  const records = at([1, 4, 16], chance.below(3)) as number
  const step = (): Step => {
    const name = at(bag, number(chance)) as StepName
    const touches = name === 'put' || name === 'delete' || name === 'program'
    return [name, number(chance), chance.below(touches ? records : 2 ** 16), number(chance)]
  }
  const devices = 1 + chance.below(4)
  return {
    seed,
    devices,
    steps: Array.from({ length: 5 + chance.below(at([15, 60, 130], chance.below(3)) ?? 0) }, step),
  }
}

/** Without these little happens. */
const needed: Partial<Record<StepName, number>> = { put: 15, carry: 30, answer: 30 }

const number = (chance: Chance) => chance.below(2 ** 16)
