import { isDeepStrictEqual } from 'node:util'
import { type PullAnswer, recordKinds } from '@saldo/core'
import { type Schedule, type Step, take } from './steps.ts'
import { quiet, World } from './world.ts'

const MOST_ROUNDS = 60
/** How often everybody exchanges everything once nothing is pending. */
const LAST_ROUNDS = 4
const MOST_REQUESTS_A_ROUND = 40

/** Runs a schedule. Returns what the service has in the end. Throws where something is wrong that must not be. */
export async function run({ seed, devices, steps }: Schedule): Promise<string> {
  const world = await World.create(seed, devices)
  try {
    const settings = { effective_from: '2026-01-01', time_zone: 'Europe/Berlin', target_ms: Array(7).fill(3_600_000) }
    await world.program('POST', '/api/settings', {
      id: '00000000-0000-4000-8000-000000000000',
      ...settings,
      note: 'first',
    })
    for (const computer of world.computers) computer.start()
    await quiet()
    for (const step of steps) {
      await take(world, step)
      fail(world)
      for (const computer of world.computers) {
        if (await computer.isStuck()) throw new Error(`stuck: ${computer.name} is idle with something to send`)
      }
    }
    await heal(world)
    return await check(world)
  } finally {
    await world.close()
  }
}

function fail(world: World): void {
  for (const { failures } of world.computers) if (failures.length > 0) throw failures[0]
}

/** Ends all faults, and lets everybody come to rest within a bounded number of requests. */
async function heal(world: World): Promise<void> {
  world.network.joinAll()
  world.network.resume()
  for (const computer of world.computers) computer.calm()
  await world.flow()
  const asked = world.network.asked
  let rounds = 0
  for (let last = 0; last < LAST_ROUNDS && rounds < MOST_ROUNDS; rounds += 1) {
    await world.pass(400_000)
    for (const { device } of world.computers) {
      for (const event of ['online', 'signedIn', 'woken'] as const) device.happen(event)
      await quiet()
      await world.flow()
    }
    fail(world)
    const all = await Promise.all(world.computers.map(({ device }) => device.status()))
    last = all.every(({ state, pending }) => state === 'idle' && pending === 0) ? last + 1 : 0
  }
  const most = rounds * world.computers.length * MOST_REQUESTS_A_ROUND
  if (world.network.asked - asked > most) throw new Error(`no rest after ${world.network.asked - asked} requests`)
}

async function check(world: World): Promise<string> {
  const { text } = await world.snapshot()
  const there = JSON.parse(text) as PullAnswer
  const excused: string[] = []
  for (const { name, device } of world.computers) {
    const { state, pending } = await device.status()
    if (state !== 'idle' || pending > 0) throw new Error(`${name} is ${state} with ${pending} pending`)
    for (const { edit } of await device.refused()) excused.push(`${edit.kind} ${edit.id}`)
    for (const kind of recordKinds) {
      const [has, should] = [
        byId((await device.list(kind)).map(({ record }) => record as Named)),
        byId((there.changes[kind] ?? []) as Named[]),
      ]
      if (!isDeepStrictEqual(has, should)) {
        throw new Error(`${name} differs in ${kind}: ${JSON.stringify(has)} instead of ${JSON.stringify(should)}`)
      }
    }
  }
  world.ledger.check(there, excused)
  return text
}

type Named = { id: string }
const byId = (records: readonly Named[]) => records.toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** What is wrong with a schedule; `undefined` where nothing is. */
export async function problemOf(schedule: Schedule): Promise<Error | undefined> {
  try {
    await run(schedule)
    return undefined
  } catch (error) {
    return error as Error
  }
}

/** A schedule that fails as this one does, from which no step can be left out. */
export async function shrink(schedule: Schedule): Promise<Schedule> {
  let { steps } = schedule
  const kindOf = (problem: Error | undefined) => problem?.message.replaceAll(/[^a-z ]/g, '').slice(3, 12)
  const kind = kindOf(await problemOf(schedule))
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < steps.length; ) {
      const shorter: Step[] = steps.toSpliced(from, size)
      if (kindOf(await problemOf({ ...schedule, steps: shorter })) === kind) steps = shorter
      else from += size
    }
  }
  return { ...schedule, steps }
}
