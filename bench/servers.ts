import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createAuth, databaseFile, openStores, type Stores, systemClock, systemRandom } from '@saldo/server'
import { inPieces, type Target } from './load.ts'

const root = join(import.meta.dirname, '..')

/** A server process of its own, on data of its own. */
export interface RunningServer {
  target: Target
  /** Memory of the process, in MB: resident now, and the most it ever had. */
  memory(): { nowMb: number; peakMb: number }
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
  /** How many users there are; each of the first thousand has a token. */
  users: number
  /** Fills the database before the service starts. */
  fill?: (stores: Stores, users: readonly number[]) => Promise<void>
}

/** Starts the built program as `npm start` does. */
export async function startSaldo({ users: count, fill }: SaldoOptions): Promise<RunningServer & { users: number[] }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'saldo-bench-'))
  const context = { clock: systemClock, random: systemRandom }
  const stores = await openStores({ file: databaseFile({ dataDir }), as: 'command', ...context })
  const auth = createAuth({ ...stores, ...context, secret: systemRandom.token(32), publicUrl: undefined })
  const users: number[] = []
  const tokens = new Map<number, string>()
  await inPieces(count, 1_000, async (n) => {
    const at = '2026-01-01T00:00:00.000Z'
    const added = await stores.users.add({ email: `user-${n}@example.com`, passwordHash: 'none', at })
    if (added.outcome !== 'added') throw new Error(added.outcome)
    users.push(added.user)
  })
  for (const user of users.slice(0, 1_000)) tokens.set(user, (await auth.createToken(user, 'bench')).secret)
  await fill?.(stores, users)
  await stores.close()
  const [child, line] = await start([join(root, 'packages/cli/dist/saldo.js'), 'serve'], {
    SALDO_DATA_DIR: dataDir,
    SALDO_PORT: '0',
    SALDO_LOG_LEVEL: 'warn',
    SALDO_WRITES_PER_MINUTE: '1000000',
  })
  const port = Number(/:(\d+)\//.exec(line)?.[1])
  const target = { port, authorization: (user: number) => `Bearer ${tokens.get(user)}` }
  return { ...running(child, target, dataDir), users }
}

/** Starts a program that prints a line when it is ready. */
async function start(args: string[], env: Record<string, string>): Promise<[ChildProcess, string]> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${args[0]} ended before it was ready`)
  })
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [string]
  return [child, line]
}

function running(child: ChildProcess, target: Target, dataDir: string): RunningServer {
  return {
    target,
    memory() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      const megabytes = (name: string) => (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024) / 1e6
      return { nowMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') }
    },
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
