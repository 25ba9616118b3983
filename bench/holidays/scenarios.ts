import { createServer } from 'node:net'
import { instantOf, type JsonObject, parseContent, type UserNumber } from '@saldo/core'
import { type Stores, systemClock, systemRandom } from '@saldo/server'
import { inPieces, send, type Target } from '../load.ts'
import { atMost, quantile, type Result, within } from '../result.ts'
import { timed } from '../scenarios.ts'
import { startSaldo } from '../servers.ts'

export interface HolidaySizes {
  users: number
  pulls: number
}

export const fullHolidaySizes: HolidaySizes = { users: 1_000, pulls: 1_000 }
export const tinyHolidaySizes: HolidaySizes = { users: 20, pulls: 20 }

const MOST_GENERATION_MS = 10_000
const MOST_DELAY = 3

/**
 * Public holidays fall due for many users at once, as on the first of a month: how long the service takes to generate
 * those of two years while nobody asks for anything, and how long the pulls of another user take meanwhile.
 */
export async function generatingHolidays(sizes: HolidaySizes): Promise<Result[]> {
  const [alone, cpuMs] = await withDueUsers(sizes.users, async ({ isDone, cpuMs }) => {
    const beforeMs = cpuMs()
    return [await timed(() => untilTrue(isDone)), cpuMs() - beforeMs] as const
  })
  const [busyMs, freeMs] = await withDueUsers(sizes.users, async ({ target, reader, isDone }) => {
    const during = await pullTimes(target, reader, sizes.pulls)
    await untilTrue(isDone)
    return [quantile(during, 0.95), quantile(await pullTimes(target, reader, sizes.pulls), 0.95)] as const
  })
  const what = `generating the holidays of ${sizes.users} users`
  const took = `${alone.toFixed(0)} (${cpuMs.toFixed(0)}) ms`
  return [
    within(`${what} (of processor)`, alone, MOST_GENERATION_MS, 'ms', took),
    atMost(
      `pull of another user meanwhile, 95 of 100: beside one afterwards`,
      `${freeMs.toFixed(1)} ms`,
      `${busyMs.toFixed(1)} ms`,
      busyMs / freeMs,
      MOST_DELAY,
    ),
  ]
}

interface DueUsers {
  target: Target
  /** A user without holidays. */
  reader: UserNumber
  /** The processor time of the service. */
  cpuMs(): number
  /** True once the holidays of all users are generated. */
  isDone(): Promise<boolean>
}

/** Starts the built program with a job of holidays due for each user. */
async function withDueUsers<T>(users: number, measure: (due: DueUsers) => Promise<T>): Promise<T> {
  const metricsPort = await freePort()
  const environment = { SALDO_METRICS_PORT: String(metricsPort) }
  const server = await startSaldo({ users: users + 1, environment, fill: addDueJobs })
  try {
    const isDone = async () => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      return Number(/^saldo_work_pieces_total\{kind="holidays"\} (\d+)$/m.exec(text)?.[1]) >= users
    }
    return await measure({
      target: server.target,
      reader: server.users.at(-1) as UserNumber,
      cpuMs: server.cpuMs,
      isDone,
    })
  } finally {
    await server.stop()
  }
}

/** Gives all users but the last the holidays of Bavaria, with a job that is due. */
async function addDueJobs({ records }: Stores, users: readonly UserNumber[]): Promise<void> {
  const settings = parseContent('settings_history', {
    effective_from: '2026-01-01',
    time_zone: 'Europe/Berlin',
    target_ms: [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * 3_600_000),
    holidays: { country: 'DE', state: 'BY', region: null, partial: { '12-24': 0.5 } },
  })
  if (!settings.ok) throw new Error(JSON.stringify(settings.errors))
  const content = settings.value
  const at = instantOf(systemClock.now())
  await inPieces(users.length - 1, 64, (n) =>
    records.write(users[n] as UserNumber, async (writer) => {
      const id = systemRandom.uuid()
      const fields = { id, ...content, created_at: at, updated_at: at } as JsonObject
      await writer.put([{ kind: 'settings_history', id, updatedAt: at, deleted: false, fields, claims: {} }])
      await writer.putJob({ id: 'holidays', dueMs: 0, task: { kind: 'holidays', ranges: [] } })
    }),
  )
}

async function pullTimes(target: Target, user: UserNumber, count: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n += 1) times.push(await timed(() => send(target, user, 'GET', '/api/sync/pull?since=0')))
  return times
}

async function untilTrue(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 50))
}

/** Returns a port that nobody uses. */
function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
