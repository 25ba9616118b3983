import { DAY_MS } from '@saldo/core'
import { check } from './check.ts'
import type { Scenario } from './scenario.ts'
import { START_MS, type User } from './service.ts'
import { type Host, Simulation } from './simulation.ts'
import { type Step, take } from './steps.ts'
import { requireUnstuck } from './stuck.ts'

const MOST_ROUNDS = 60
/** Number of full syncs of all devices once the outboxes are empty. */
const LAST_ROUNDS = 4
/** Number of days after which all devices must still be at rest. */
const LAST_DAYS = 2
const MOST_REQUESTS_A_ROUND = 40
/** The closings of a day, and of its week, are on so many pages at most. */
const MOST_PAGES_A_DAY = 2

/** Runs a schedule. Returns what the service has in the end. Throws where something is wrong that must not be. */
export async function run({ seed, steps, ...setup }: Scenario, host: Host = {}): Promise<string> {
  const simulation = await Simulation.create(seed, setup, host)
  try {
    const settings = { effective_from: '2026-01-01', time_zone: 'Europe/Berlin', target_ms: Array(7).fill(3_600_000) }
    for (const user of simulation.users) {
      const first = {
        id: '00000000-0000-4000-8000-000000000000',
        ...settings,
        note: `${simulation.ledgerOf(user.id).mark}first`,
      }
      await simulation.program(user, 'POST', '/api/settings', first)
    }
    for (const computer of simulation.computers) if (!computer.old) computer.open()
    await simulation.quiet()
    for (const step of steps) {
      await take(simulation, step)
      fail(simulation)
      await requireUnstuck(simulation)
    }
    await heal(simulation)
    return await conclude(simulation)
  } finally {
    await simulation.close()
  }
}

function fail({ failures }: Simulation): void {
  if (failures.length > 0) throw failures[0]
}

/** Ends all faults, and lets everybody come to rest within a bounded number of requests. */
async function heal(simulation: Simulation): Promise<void> {
  await simulation.calmNodes()
  await simulation.plain?.sync()
  simulation.network.joinAll()
  simulation.network.resume()
  for (const computer of simulation.computers) {
    await computer.calm()
    for (const user of [...computer.users, computer.signedIn]) {
      if (computer.tabsOf(user).length === 0) computer.open(user)
    }
  }
  await simulation.quiet()
  await simulation.flow()
  // Months of closings fill many pages, which is no endless loop.
  await simulation.runDueJobs()
  for (const user of simulation.users) await exchange(simulation, user)
  // Devices find silent faults within a day, independent of their clocks.
  if (simulation.users.some(({ id }) => simulation.ledgerOf(id).corruptions > 0)) {
    await simulation.pass(7 * DAY_MS)
    await simulation.runDueJobs()
    for (const user of simulation.users) await exchange(simulation, user)
  }
  const requestsBefore = simulation.network.requestCount
  let rounds = 0
  for (let last = 0; last < LAST_ROUNDS && rounds < MOST_ROUNDS; rounds += 1) {
    await simulation.pass(400_000)
    await simulation.runDueJobs()
    let areAtRest = true
    const pages = MOST_PAGES_A_DAY * ((simulation.nowMs - START_MS) / DAY_MS)
    const each = (rounds + 1) * MOST_REQUESTS_A_ROUND + pages
    const most = simulation.computers.length * simulation.users.length * each
    for (const user of simulation.users) {
      await exchange(simulation, user)
      areAtRest &&= await isAtRest(simulation, user)
      if (simulation.network.requestCount - requestsBefore > most)
        throw new Error(`no rest after ${simulation.network.requestCount - requestsBefore} requests`)
    }
    fail(simulation)
    last = areAtRest ? last + 1 : 0
  }
}

/** A user signs in at each computer, one after the other, and looks what is new. */
async function exchange(simulation: Simulation, user: User): Promise<void> {
  for (const computer of simulation.computers) {
    computer.signedIn = user
    for (const { device } of computer.tabsOf(user)) device.dispatch('syncRequested')
    await simulation.quiet()
    await simulation.flow()
  }
}

async function isAtRest(simulation: Simulation, user: User): Promise<boolean> {
  for (const computer of simulation.computers) {
    if (!computer.users.includes(user)) continue
    if (computer.tabsOf(user).some(({ device }) => device.activity().phase !== 'idle')) return false
    if ((await computer.diskOf(user).peek((tables) => tables.outbox.all())).length > 0) return false
  }
  return true
}

/**
 * Checks what each user has, and returns what the service has of them. Days later, when digests have been compared
 * again, no device may have had a reason to start cold, not even after a restore.
 */
async function conclude(simulation: Simulation): Promise<string> {
  const texts: string[] = []
  const { coldStartCount } = simulation.network
  for (let day = 0; day < LAST_DAYS; day += 1) {
    await simulation.pass(DAY_MS)
    for (const user of simulation.users) await exchange(simulation, user)
  }
  if (simulation.network.coldStartCount > coldStartCount) throw new Error('a device starts cold again at rest')
  for (const user of simulation.users) {
    await exchange(simulation, user)
    texts.push(await check(simulation, user))
  }
  return texts.join('\n')
}

/** Returns the problem of a schedule; `undefined` if there is none. */
export async function problemOf(schedule: Scenario, host?: Host): Promise<Error | undefined> {
  try {
    await run(schedule, host)
    return undefined
  } catch (error) {
    return error as Error
  }
}

/** A schedule that fails as this one does, from which no step can be left out. */
export async function shrink(schedule: Scenario, host?: Host): Promise<Scenario> {
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
