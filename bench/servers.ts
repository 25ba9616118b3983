import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { UserNumber } from '@saldo/core'
import {
  type DatabaseLocation,
  databaseFile,
  openStores,
  type Stores,
  systemClock,
  systemRandom,
  userParts,
} from '@saldo/server'
import { inPieces, type Target } from './load.ts'

const root = join(import.meta.dirname, '..')

/** A server process of its own, on data of its own. */
export interface RunningServer {
  target: Target
  /** Memory of the process, in MB: resident now, and the most it ever had. */
  memory(): { nowMb: number; peakMb: number }
  /** The processor's time that the process has had, in milliseconds. */
  cpuMs(): number
  stop(): Promise<void>
}

/** Starts the reference; a user is known by their number. */
export async function startReference(): Promise<RunningServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'saldo-bench-'))
  const args = [join(root, 'bench/reference/server.ts'), join(dataDir, 'reference.db')]
  const [child, port] = await start(args, {})
  return running(child, { port: Number(port), authorization: String }, dataDir)
}

export interface SaldoOptions {
  /** Number of users; each of the first two thousand has a token. */
  users: number
  /** Settings of the service. */
  environment?: Record<string, string>
  /** Fills the database before the service starts. */
  fill?: (stores: Stores, users: readonly UserNumber[]) => Promise<void>
}

/** Starts the built program as `npm start` does, on a new database file. */
export async function startSaldo({
  users: count,
  environment,
  fill,
}: SaldoOptions): Promise<RunningServer & { users: number[] }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'saldo-bench-'))
  const { users, authorization } = await prepare({ file: databaseFile({ dataDir }) }, async (stores) => {
    const added = await addUsers(stores, count)
    await fill?.(stores, added)
    return added
  })
  return { ...(await startNode({ SALDO_DATA_DIR: dataDir, ...environment }, authorization, dataDir)), users }
}

/** Makes a database. `make` says whose requests are measured; each of the first two thousand of them gets a token. */
export async function prepare(place: DatabaseLocation, make: (stores: Stores) => Promise<UserNumber[]>) {
  const context = { clock: systemClock, random: systemRandom }
  const stores = await openStores({ ...place, as: 'command', ...context })
  const { tokens } = userParts({ ...stores, ...context, secret: systemRandom.token(32), publicUrl: undefined })
  const users = await make(stores)
  const secrets = new Map<number, string>()
  for (const user of users.slice(0, 2_000)) secrets.set(user, (await tokens.create(user, 'bench')).secret)
  await stores.close()
  return { users, authorization: (user: number) => `Bearer ${secrets.get(user)}` }
}

export async function addUsers({ users }: Stores, count: number): Promise<UserNumber[]> {
  const ids: UserNumber[] = []
  await inPieces(count, 64, async (n) => {
    const at = '2026-01-01T00:00:00.000Z'
    const added = await users.add({ email: `user-${n}@example.com`, passwordHash: 'none', at })
    if (added.outcome !== 'added') throw new Error(added.outcome)
    ids.push(added.user)
  })
  return ids
}

/** Starts the built program on a database that `prepare` has made. */
export async function startNode(
  environment: Record<string, string>,
  authorization: Target['authorization'],
  dataDir?: string,
): Promise<RunningServer> {
  const [child, line] = await start([join(root, 'packages/cli/dist/saldo.js'), 'serve'], {
    SALDO_PORT: '0',
    SALDO_LOG_LEVEL: 'warn',
    SALDO_WRITES_PER_MINUTE: '1000000',
    SALDO_WRITE_MEGABYTES_PER_MINUTE: '1000000',
    ...environment,
  })
  return running(child, { port: Number(/:(\d+)\//.exec(line)?.[1]), authorization }, dataDir)
}

/** Starts a program that prints a line when it is ready. */
export async function start(args: string[], env: Record<string, string>): Promise<[ChildProcess, string]> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } })
  const kill = () => void child.kill()
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${args[0]} ended before it was ready`)
  })
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [string]
  return [child, line]
}

export function running(child: ChildProcess, target: Target, dataDir?: string): RunningServer {
  return {
    target,
    memory() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      const megabytes = (name: string) => (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024) / 1e6
      return { nowMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') }
    },
    cpuMs: () => cpuMsOf(child.pid),
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      if (dataDir !== undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * The processor's time that a process has had, with that of its children that have ended, in ms; 0 where it is gone.
 */
export function cpuMsOf(pid: number | undefined): number {
  // The first figure of each thread, in nanoseconds.
  const threads = globSync(`/proc/${pid}/task/*/schedstat`).map((file) => Number.parseInt(textOf(file) || '0', 10))
  // Behind the program's name in parentheses stand the fields from the third on, those of time in hundredths of a
  // second.
  const fields = textOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  const ofChildren = Number(fields[13] ?? 0) + Number(fields[14] ?? 0)
  return threads.reduce((sum, each) => sum + each, 0) / 1e6 + ofChildren * 10
}

/** Returns the status of a process or thread in /proc; empty if it has ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
