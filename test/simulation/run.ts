import { DAY_MS } from '@saldo/core'
import { check } from './check.ts'
import type { Schedule } from './schedule.ts'
import type { User } from './service.ts'
import { type Step, take } from './steps.ts'
import { requireUnstuck } from './stuck.ts'
import { type Host, World } from './world.ts'

const MOST_ROUNDS = 60
/** Number of full syncs of all devices once the outboxes are empty. */
const LAST_ROUNDS = 4
const MOST_REQUESTS_A_ROUND = 40

/** Runs a schedule. Returns what the service has in the end. Throws where something is wrong that must not be. */
export async function run({ seed, steps, ...setup }: Schedule, host: Host = {}): Promise<string> {
  const world = await World.create(seed, setup, host)
  try {
    const settings = { effective_from: '2026-01-01', time_zone: 'Europe/Berlin', target_ms: Array(7).fill(3_600_000) }
    for (const user of world.users) {
      const first = {
        id: '00000000-0000-4000-8000-000000000000',
        ...settings,
        note: `${world.ledgerOf(user.id).mark}first`,
      }
      await world.program(user, 'POST', '/api/settings', first)
    }
    for (const computer of world.computers) if (!computer.old) computer.open()
    await world.quiet()
    for (const step of steps) {
      await take(world, step)
      fail(world)
      await requireUnstuck(world)
    }
    await heal(world)
    return await conclude(world)
  } finally {
    await world.close()
  }
}

function fail({ failures }: World): void {
  if (failures.length > 0) throw failures[0]
}

/** Ends all faults, and lets everybody come to rest within a bounded number of requests. */
async function heal(world: World): Promise<void> {
  await world.calmNodes()
  await world.plain?.sync()
  world.network.joinAll()
  world.network.resume()
  for (const computer of world.computers) {
    await computer.calm()
    for (const user of [...computer.users, computer.signedIn]) {
      if (computer.tabsOf(user).length === 0) computer.open(user)
    }
  }
  await world.quiet()
  await world.flow()
  // Months of closings fill many pages, which is no endless loop.
  await world.runDueJobs()
  for (const user of world.users) await exchange(world, user)
  // Devices find silent faults within a day, whatever their clocks show.
  if (world.users.some(({ id }) => world.ledgerOf(id).corruptions > 0)) {
    await world.pass(7 * DAY_MS)
    await world.runDueJobs()
    for (const user of world.users) await exchange(world, user)
  }
  const asked = world.network.asked
  let rounds = 0
  for (let last = 0; last < LAST_ROUNDS && rounds < MOST_ROUNDS; rounds += 1) {
    await world.pass(400_000)
    await world.runDueJobs()
    let areAtRest = true
    const most = (rounds + 1) * world.computers.length * world.users.length * MOST_REQUESTS_A_ROUND
    for (const user of world.users) {
      await exchange(world, user)
      areAtRest &&= await isAtRest(world, user)
      if (world.network.asked - asked > most) throw new Error(`no rest after ${world.network.asked - asked} requests`)
    }
    fail(world)
    last = areAtRest ? last + 1 : 0
  }
}

/** A user signs in at each computer, one after the other, and looks what is new. */
async function exchange(world: World, user: User): Promise<void> {
  for (const computer of world.computers) {
    computer.signedIn = user
    for (const event of ['signedIn', 'syncRequested'] as const) {
      for (const { device } of computer.tabsOf(user)) device.dispatch(event)
      await world.quiet()
      await world.flow()
    }
  }
}

async function isAtRest(world: World, user: User): Promise<boolean> {
  for (const computer of world.computers) {
    if (!computer.users.includes(user)) continue
    if (computer.tabsOf(user).some(({ device }) => device.activity().state !== 'idle')) return false
    if ((await computer.diskOf(user).peek((tables) => tables.outbox.all())).length > 0) return false
  }
  return true
}

/** Checks what each user has, and returns what the service has of them. */
async function conclude(world: World): Promise<string> {
  const texts: string[] = []
  for (const user of world.users) {
    await exchange(world, user)
    texts.push(await check(world, user))
  }
  return texts.join('\n')
}

/** Returns the problem of a schedule; `undefined` if there is none. */
export async function problemOf(schedule: Schedule, host?: Host): Promise<Error | undefined> {
  try {
    await run(schedule, host)
    return undefined
  } catch (error) {
    return error as Error
  }
}

/** A schedule that fails as this one does, from which no step can be left out. */
export async function shrink(schedule: Schedule, host?: Host): Promise<Schedule> {
  let { steps } = schedule
  const kindOf = (problem: Error | undefined) => problem?.message.replaceAll(/[^a-z ]/g, '').slice(3, 12)
  const kind = kindOf(await problemOf(schedule, host))
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < steps.length; ) {
      const shorter: Step[] = steps.toSpliced(from, size)
      if (kindOf(await problemOf({ ...schedule, steps: shorter }, host)) === kind) steps = shorter
      else from += size
    }
  }
  return { ...schedule, steps }
}
