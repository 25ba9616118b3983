import { DAY_MS, type JsonObject, MINUTE_MS, type Problem, problemOf } from '@saldo/core'
import { beforeEach, expect, test } from 'vitest'
import { SyncSteps } from '../../src/engine/sync-steps.ts'
import type { ServiceRequest, ServiceResponse } from '../../src/host/transport.ts'
import { changeKey, type Meta } from '../../src/store/rows.ts'
import type { LocalStore } from '../../src/store/store.ts'
import { conflict, contents, id, outboxRow } from '../rows.ts'
import { openTestStore } from './test-store.ts'

const SERVER_TIME = '2026-11-21T12:00:00.000Z'
const NOW_MS = Date.parse(SERVER_TIME)

let store: LocalStore
let nowMs: number
/** The response of the service to a request. */
let respondTo: (path: string) => ServiceResponse | Promise<ServiceResponse>

beforeEach(() => {
  store = openTestStore()
  nowMs = NOW_MS
  respondTo = () => ok({ version: 5, tag: 'five', since_tag: 'five', has_more: false, changes: {}, deleted: {} })
})

function ok(body: JsonObject): ServiceResponse {
  return { outcome: 'ok', status: 200, body: { server_time: SERVER_TIME, ...body }, headers: new Headers() }
}

function newSteps(): SyncSteps {
  const transport = async ({ path }: ServiceRequest) => respondTo(path)
  return new SyncSteps({ store, transport, now: () => nowMs, livingTabs: async () => new Set<string>() })
}

async function changeMeta(changes: Partial<Meta>): Promise<void> {
  await store.write(async (tables) => tables.setMeta({ ...(await tables.meta()), ...changes }))
}

test('[D7.34] after three cold starts in a row, the next three wait for five minutes', async () => {
  const steps = newSteps()
  const events: string[] = []
  for (let step = 1; step <= 8; step += 1) events.push(await steps.run('coldStarting'))
  const three = ['coldStarted', 'coldStarted', 'coldStarted']
  expect(events).toEqual([...three, 'failed', ...three, 'failed'])
  expect(steps.lastError).toEqual({ code: 'coldStartsFailed' })
  expect(steps.backoffMs(0)).toBe(5 * MINUTE_MS)
})

test('[D7.34] a complete pull begins to count cold starts anew, and ends the failures', async () => {
  const steps = newSteps()
  for (const phase of ['coldStarting', 'coldStarting', 'pulling', 'coldStarting', 'coldStarting'] as const) {
    expect(await steps.run(phase)).toBe(phase === 'pulling' ? 'pulledAll' : 'coldStarted')
  }
  respondTo = () => ({ outcome: 'retryable', retryAfterMs: 7_000 })
  expect(await steps.run('pulling')).toBe('failed')
  expect(steps.lastError).toEqual({ code: 'unreachable' })
  expect(steps.backoffMs(0)).toBe(7_000)
  respondTo = () => ok({ version: 5, tag: 'five', since_tag: 'five', has_more: false, changes: {}, deleted: {} })
  expect(await steps.run('pulling')).toBe('pulledAll')
  expect(steps.lastError).toBeNull()
})

test('[D7.24] a retry waits as the service asks, and longer after each failure', async () => {
  const problem: Problem = problemOf('invalid_request', 'No.')
  const responses: ServiceResponse[] = [
    { outcome: 'retryable', retryAfterMs: 90_000, problem },
    { outcome: 'rejected', status: 403, problem, headers: new Headers() },
    { outcome: 'retryable', retryAfterMs: 0 },
  ]
  await changeMeta({ position: { version: 5, tag: 'five' } })
  const steps = newSteps()
  respondTo = () => responses.shift() as ServiceResponse
  const delays: unknown[] = []
  for (let step = 1; step <= 3; step += 1) {
    expect(await steps.run('pulling')).toBe('failed')
    delays.push([steps.lastError, steps.backoffMs(0), steps.backoffMs(0.5)])
  }
  expect(delays).toEqual([
    [problem, 90_000, 90_000],
    [problem, 0, 1_000],
    [{ code: 'unreachable' }, 0, 2_000],
  ])
  respondTo = () => ({ outcome: 'unauthenticated' })
  expect(await steps.run('pulling')).toBe('unauthenticated')
})

test('a failed exchange is the last error with its detail; a transport that throws is a defect', async () => {
  await changeMeta({ position: { version: 5, tag: 'five' } })
  const steps = newSteps()
  const failure = { code: 'wrongService', detail: 'http://nas.local is not Saldo', cause: new Error('any') } as const
  respondTo = () => ({ outcome: 'retryable', retryAfterMs: 0, failure })
  expect(await steps.run('pulling')).toBe('failed')
  expect(steps.lastError).toEqual({ code: 'wrongService', detail: 'http://nas.local is not Saldo' })
  respondTo = () => Promise.reject(new TypeError('no function'))
  expect(await steps.run('pulling')).toBe('failed')
  expect(steps.lastError).toEqual({ code: 'defect', detail: 'TypeError: no function' })
})

test('[D7.57] the next attempt because of a mutation is five seconds after the last one began', async () => {
  const steps = newSteps()
  expect(steps.briefDelayMs()).toBe(0)
  await steps.run('pushing')
  const delaysMs = [0, 2_000, 5_000, 9_000, -60_000].map((sinceMs) => {
    nowMs = NOW_MS + sinceMs
    return steps.briefDelayMs()
  })
  expect(delaysMs).toEqual([5_000, 3_000, 0, 0, 5_000])
  nowMs = NOW_MS + 60_000
  await steps.run('pulling')
  expect(steps.briefDelayMs()).toBe(5_000)
})

test('[D7.21] a complete pull deletes the conflicts of more than 30 days, by the clock of the service', async () => {
  await changeMeta({ position: { version: 5, tag: 'five' }, knownVersion: 5 })
  const offsetMs = 2 * DAY_MS
  nowMs = NOW_MS - offsetMs
  const aged = (number: number, ageMs: number) => ({ ...conflict(number), detectedAtMs: NOW_MS - ageMs })
  const [fresh, kept, old] = [aged(1, 0), aged(2, 30 * DAY_MS), aged(3, 30 * DAY_MS + 1)]
  await store.write((tables) => tables.conflicts.put([fresh, kept, old]))
  expect(await newSteps().run('pulling')).toBe('pulledAll')
  expect((await contents(store)).conflicts.map(({ mine }) => changeKey(mine))).toEqual(
    [fresh, kept].map(({ mine }) => changeKey(mine)),
  )
})

test('[D7.19] of two changes at which the service fails, the first is tried alone, and given up', async () => {
  await store.write((tables) => tables.outbox.put([outboxRow(1), outboxRow(2)]))
  const problem: Problem = { ...problemOf('internal', 'No.'), status: 500 }
  const steps = newSteps()
  respondTo = () => ({ outcome: 'retryable', retryAfterMs: 4_000, problem })
  const events: unknown[] = []
  for (let step = 1; step <= 6; step += 1) {
    events.push(await steps.run('pushing'))
    expect([steps.lastError, steps.backoffMs(0)]).toEqual([problem, 4_000])
  }
  expect(events).toEqual(Array.from({ length: 6 }, () => 'failed'))
  const { outbox, rejectedChanges } = await contents(store)
  expect([outbox.map(({ id }) => id), rejectedChanges.map(({ change }) => change.id)]).toEqual([[id(2)], [id(1)]])
  // The other one has not failed three times yet.
  for (let step = 1; step <= 2; step += 1) await steps.run('pushing')
  expect((await contents(store)).outbox.map(({ id }) => id)).toEqual([id(2)])
})

test('[D7.18] once a narrowed batch is sent, later pushes carry all changes again', async () => {
  const queue = (...numbers: number[]) => store.write((tables) => tables.outbox.put(numbers.map((n) => outboxRow(n))))
  const sizes: number[] = []
  const transport = async ({ body }: ServiceRequest): Promise<ServiceResponse> => {
    const { changes } = body as { changes: { record: { id: string } }[] }
    sizes.push(changes.length)
    const problem = problemOf('invalid_request', 'No.')
    if (sizes.length === 1) return { outcome: 'rejected', status: 422, problem, headers: new Headers() }
    const results = changes.map(({ record }) => ({
      status: 'applied',
      id: record.id,
      version: 6,
      updated_at: SERVER_TIME,
    }))
    return ok({ results })
  }
  const steps = new SyncSteps({ store, transport, now: () => nowMs, livingTabs: async () => new Set<string>() })
  const pushAll = async () => {
    while ((await steps.run('pushing')) !== 'pushedAll');
  }
  await queue(1, 2)
  await pushAll()
  await queue(3, 4, 5)
  await pushAll()
  expect(sizes).toEqual([2, 1, 1, 3])
})

test('[D7.7] [D7.19] a service that is not available never gives a change up', async () => {
  await store.write((tables) => tables.outbox.put([outboxRow(1)]))
  const problem: Problem = problemOf('unavailable', 'The database is away.')
  const steps = newSteps()
  respondTo = () => ({ outcome: 'retryable', retryAfterMs: 4_000, problem })
  for (let step = 1; step <= 6; step += 1) expect(await steps.run('pushing')).toBe('failed')
  expect([steps.lastError, steps.backoffMs(0)]).toEqual([problem, 4_000])
  expect(await contents(store)).toMatchObject({ outbox: [{ id: id(1) }], rejectedChanges: [] })
})

test('[D7.34] a cold start that another history reset interrupts counts too', async () => {
  const steps = newSteps()
  let isReset = true
  const page = respondTo('')
  respondTo = () => (isReset ? changeMeta({ isHistoryReset: true }).then(() => page) : page)
  expect(await steps.run('coldStarting')).toBe('historyReset')
  isReset = false
  const events: string[] = []
  for (let step = 1; step <= 3; step += 1) events.push(await steps.run('coldStarting'))
  expect(events).toEqual(['coldStarted', 'coldStarted', 'failed'])
})

test('[D7.24] a defect beside the failed attempts does not shorten the wait', async () => {
  const steps = newSteps()
  respondTo = () => ({ outcome: 'retryable', retryAfterMs: 7_000 })
  await changeMeta({ position: { version: 5, tag: 'five' } })
  for (let step = 1; step <= 4; step += 1) await steps.run('pulling')
  const delayMs = steps.backoffMs(0.999)
  steps.noteDefect(new Error('the disk is on fire'))
  expect([steps.backoffMs(0.999), steps.backoffMs(0)]).toEqual([delayMs, 7_000])
})

test('[D10.13] [D10.14] a divergence that is healed stays so where the service has no digests any more', async () => {
  const divergence = { foundAtMs: NOW_MS - 3 * DAY_MS, isHealed: true }
  await changeMeta({ position: { version: 5, tag: 'five' }, knownVersion: 5, divergence })
  const page = respondTo('')
  const problem = problemOf('not_found', 'There are no digests.')
  respondTo = (path) =>
    path === '/api/sync/digest' ? { outcome: 'rejected', status: 404, problem, headers: new Headers() } : page
  expect(await newSteps().run('pulling')).toBe('pulledAll')
  expect((await contents(store)).meta).toMatchObject({ divergence, comparedAtMs: NOW_MS })
})
