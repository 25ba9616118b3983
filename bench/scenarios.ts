import type { Instant, JsonObject, RecordId, UserNumber } from '@saldo/core'
import type { Stores } from '@saldo/server'
import { atConcurrency, inPieces, pushBodies, pushBody, sampleEntry, send, setHours, type Target } from './load.ts'
import { atLeast, atMost, median, quantile, type Result, within } from './result.ts'
import { type RunningServer, startReference, startSaldo } from './servers.ts'

/** Amounts of work; the tiny ones only show that everything runs. */
export interface Sizes {
  rounds: number
  records: number
  batch: number
  users: number
  pushesPerUser: number
  /** Pushes and pulls of one change, one after another. */
  small: number
  /** Records of another user that the database holds while memory is measured. */
  stored: number
  manyRecords: number
  manyUsers: number
  weeks: number
  /** Entries of an account of which no day is closed. */
  open: number
}

export const fullSizes: Sizes = {
  rounds: 5,
  records: 10_000,
  batch: 500,
  users: 50,
  pushesPerUser: 20,
  small: 200,
  stored: 100_000,
  manyRecords: 1_000_000,
  manyUsers: 100_000,
  weeks: 100,
  open: 25_026,
}

export const tinySizes: Sizes = {
  rounds: 1,
  records: 100,
  batch: 50,
  users: 3,
  pushesPerUser: 2,
  small: 3,
  stored: 100,
  manyRecords: 300,
  manyUsers: 20,
  weeks: 3,
  open: 30,
}

export const PUSH = '/api/sync/push'
export const SNAPSHOT = '/api/sync/pull?limit=10000'

/** Everything that is compared with the reference, in interleaved rounds. */
export async function compareWithReference(sizes: Sizes): Promise<Result[]> {
  const reference: Measured[] = []
  const saldo: (Measured & Memory)[] = []
  for (let round = 0; round < sizes.rounds; round += 1) {
    const bare = await startReference()
    const users = Array.from({ length: sizes.users + 2 }, (_, index) => index + 1)
    reference.push(
      await measure(bare.target, users, sizes, { push: '/push', snapshot: '/pull', since: '/pull?since=' }),
    )
    await bare.stop()

    const full = await startSaldo({
      users: sizes.users + 3,
      fill: (stores, ids) => fillEntries(stores, ids.at(-1) as UserNumber, sizes.stored, 90),
    })
    const idleMb = await settledMemory(full)
    const paths = { push: PUSH, snapshot: SNAPSHOT, since: '/api/sync/pull?since=' }
    const measured = await measure(full.target, full.users.slice(0, -1), sizes, paths)
    saldo.push({ ...measured, idleMb, peakMb: full.memory().peakMb })
    await full.stop()
  }
  const of = (list: readonly Measured[], name: keyof Measured) => median(list.map((one) => one[name]))
  const perSecond = (name: 'batchesMs' | 'manyMs', records: number, what: string, least: number): Result => {
    const rates = [reference, saldo].map((list) => (records / of(list, name)) * 1000) as [number, number]
    const text = (rate: number) => `${Math.round(rate).toLocaleString('en')} records/s`
    return atLeast(what, text(rates[0]), text(rates[1]), rates[1] / rates[0], least)
  }
  const time = (name: 'snapshotMs' | 'pushMs' | 'pullMs', what: string, most: number): Result => {
    const [bare, full] = [of(reference, name), of(saldo, name)]
    return atMost(what, `${bare.toFixed(2)} ms`, `${full.toFixed(2)} ms`, full / bare, most)
  }
  const [plain, sent] = [of(saldo, 'snapshotJsonBytes'), of(saldo, 'snapshotBytes')]
  const idleMb = median(saldo.map((one) => one.idleMb))
  const peakMb = median(saldo.map((one) => one.peakMb))
  const { records, batch, users, pushesPerUser } = sizes
  return [
    perSecond('batchesMs', records, `push of ${records} records by one device, ${batch} at a time`, 0.35),
    perSecond(
      'manyMs',
      users * pushesPerUser * 10,
      `${users} users × ${pushesPerUser} pushes of 10, 16 at a time`,
      0.5,
    ),
    time('pushMs', 'push of one change', 2),
    time('pullMs', 'pull of one change', 2),
    time('snapshotMs', `snapshot of ${records} records`, 1.5),
    atMost('its bytes, compressed', `${plain} bytes`, `${sent} bytes`, sent / plain, 0.3),
    within('memory, idle', idleMb, 90, 'MB'),
    within('memory, at most, with 100,000 records stored', peakMb, 200, 'MB'),
  ]
}

interface Measured {
  batchesMs: number
  manyMs: number
  snapshotMs: number
  snapshotBytes: number
  snapshotJsonBytes: number
  pushMs: number
  pullMs: number
}

interface Memory {
  idleMb: number
  peakMb: number
}

interface Paths {
  push: string
  snapshot: string
  since: string
}

async function measure(target: Target, users: readonly number[], sizes: Sizes, paths: Paths): Promise<Measured> {
  const [warmer, device, ...others] = users as [number, number, ...number[]]
  // In turns: a device sends its next push when it has the response to the last.
  const jobs = pushBodies(2 * sizes.pushesPerUser * 10, 10).flatMap((body) =>
    others.map((user) => () => send(target, user, 'POST', paths.push, body)),
  )
  const measuredJobs = jobs.splice(jobs.length / 2)
  // A service runs for weeks: what counts is not its first seconds, when nothing is compiled yet.
  await atConcurrency(
    4,
    pushBodies(sizes.records, sizes.batch).map((body) => () => send(target, warmer, 'POST', paths.push, body)),
  )
  await atConcurrency(16, jobs)
  await send(target, device, 'POST', paths.push, pushBody([sampleEntry(0)]))
  const batches = pushBodies(sizes.records - 1, sizes.batch)
  const batchesMs = await timed(async () => {
    for (const body of batches) await send(target, device, 'POST', paths.push, body)
  })
  const manyMs = await timed(() => atConcurrency(16, measuredJobs))
  const json = await send(target, device, 'GET', paths.snapshot)
  const compressing = { ...target, acceptEncoding: 'zstd' }
  const snapshot = await send(compressing, device, 'GET', paths.snapshot)
  const snapshotMs = await medianTime(9, () => send(compressing, device, 'GET', paths.snapshot))
  const { version } = JSON.parse(json.toString()) as { version: number }
  const pullMs = await medianTime(sizes.small, () => send(target, device, 'GET', paths.since + (version - 1)))
  let pushed = sizes.records
  const pushMs = await medianTime(sizes.small, () => {
    pushed += 1
    return send(target, device, 'POST', paths.push, pushBody([sampleEntry(pushed)]))
  })
  return {
    batchesMs,
    manyMs,
    snapshotMs,
    snapshotBytes: snapshot.byteLength,
    snapshotJsonBytes: json.byteLength,
    pushMs,
    pullMs,
  }
}

/** Compares a pull of one change in a large and in a small database. */
export async function flatness({ small, manyRecords, manyUsers, rounds }: Sizes): Promise<Result[]> {
  const fewRecords = Math.min(10_000, manyRecords)
  const fewUsers = Math.min(10, manyUsers)
  const compare = async (what: string, fewer: Fill, more: Fill): Promise<Result> => {
    const servers = [await filled(fewer), await filled(more)] as const
    const times: [number[], number[]] = [[], []]
    // In turns, so that what the machine does besides falls on both.
    for (let round = 0; round < 2 * rounds; round += 1) {
      for (const [index, { target, users }] of servers.entries()) {
        const user = users[0] as number
        const since = `/api/sync/pull?since=${(await lastVersion(target, user)) - 1}`
        times[index as 0 | 1].push(await medianTime(small, () => send(target, user, 'GET', since)))
      }
    }
    for (const server of servers) await server.stop()
    const [few, many] = times.map(median) as [number, number]
    return atMost(what, `${few.toFixed(3)} ms`, `${many.toFixed(3)} ms`, many / few, 1.2)
  }
  return [
    await compare(
      `pull of one change: ${fewRecords} to ${manyRecords} records of one user`,
      { users: 1, recordsEach: fewRecords },
      { users: 1, recordsEach: manyRecords },
    ),
    await compare(
      `pull of one change: ${fewUsers} to ${manyUsers} users`,
      { users: fewUsers, recordsEach: 10 },
      { users: manyUsers, recordsEach: 10 },
    ),
  ]
}

interface Fill {
  users: number
  recordsEach: number
}

function filled({ users, recordsEach }: Fill) {
  return startSaldo({
    users,
    fill: async (stores, ids) => {
      await inPieces(ids.length, 500, (index) => fillEntries(stores, ids[index] as UserNumber, recordsEach, 90))
    },
  })
}

async function fillEntries(stores: Stores, user: UserNumber, count: number, everyMinutes: number): Promise<void> {
  for (let start = 0; start < count; start += 5_000) {
    const states = Array.from({ length: Math.min(5_000, count - start) }, (_, index) => {
      const entry = sampleEntry(start + index, everyMinutes)
      const updatedAt = entry.updated_at as Instant
      const fields = { ...entry, created_at: updatedAt } as JsonObject
      return { kind: 'entries' as const, id: entry.id as RecordId, updatedAt, deleted: false, fields, claims: {} }
    })
    await stores.records.write(user, (writer) => writer.put(states))
  }
}

async function lastVersion(target: Target, user: number): Promise<number> {
  const answer = await send(target, user, 'GET', `/api/sync/pull?since=${Number.MAX_SAFE_INTEGER}`)
  return (JSON.parse(answer.toString()) as { version: number }).version
}

/** Compares closing a week with ten years of entries to a push of one record. */
export async function closing({ records, weeks }: Sizes): Promise<Result[]> {
  const server = await startSaldo({
    users: 1,
    // Ten years: about nineteen entries a week.
    fill: (stores, [user]) => fillEntries(stores, user as UserNumber, records, 9 * 60),
  })
  const { target } = server
  const user = server.users[0] as number
  await setHours(target, user, '2016-01-04')
  const pushMs: number[] = []
  const closeMs: number[] = []
  const monday = Date.parse('2016-01-04T00:00:00Z')
  for (let week = 0; week < weeks; week += 1) {
    const one = pushBody([sampleEntry(1_000_000 + week)])
    pushMs.push(await timed(() => send(target, user, 'POST', PUSH, one)))
    const name = JSON.stringify({ week: isoWeek(monday + week * 7 * 86_400_000) })
    closeMs.push(await timed(() => send(target, user, 'POST', '/api/closed-weeks', name)))
  }
  await server.stop()
  const [one, week] = [median(pushMs), median(closeMs)]
  const what = `closing a week at ${records} entries, against a push of one record`
  return [atMost(what, `${one.toFixed(2)} ms`, `${week.toFixed(2)} ms`, week / one, 2)]
}

/** Measures the balance in an account with no closed day: all entries count anew each time. */
export async function openAccount({ open, small }: Sizes): Promise<Result[]> {
  const server = await startSaldo({
    users: 1,
    fill: (stores, [user]) => fillEntries(stores, user as UserNumber, open, 180),
  })
  const { target } = server
  const user = server.users[0] as number
  await setHours(target, user, '2016-01-04')
  const times: number[] = []
  for (let n = 0; n < small; n += 1) times.push(await timed(() => send(target, user, 'GET', '/api/balance')))
  await server.stop()
  return [within(`balance over ${open.toLocaleString('en')} open entries, 95 of 100`, quantile(times, 0.95), 50, 'ms')]
}

function isoWeek(ms: number): string {
  const { yearOfWeek, weekOfYear } = Temporal.PlainDate.from(new Date(ms).toISOString().slice(0, 10))
  return `${yearOfWeek}-W${String(weekOfYear).padStart(2, '0')}`
}

/** Memory once the start has passed: when it did not change for a while. */
export async function settledMemory(server: RunningServer): Promise<number> {
  let last = server.memory().nowMb
  for (let same = 0; same < 10; ) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    const now = server.memory().nowMb
    same = Math.abs(now - last) < 0.1 ? same + 1 : 0
    last = now
  }
  return last
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

export async function medianTime(times: number, work: () => Promise<unknown>): Promise<number> {
  const measured: number[] = []
  for (let n = 0; n < times; n += 1) measured.push(await timed(work))
  return median(measured)
}
