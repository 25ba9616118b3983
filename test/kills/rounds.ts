import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { PostgresCluster } from '../../packages/server/test/postgres/cluster.ts'
import { RealService } from '../browser/service.ts'
import { type Chance, chanceOf } from '../simulation/chance.ts'
import { Checker } from './check.ts'
import { logOfFile, logOfPostgres, type ReadLog } from './log.ts'
import { Account, eventually } from './recorded-account.ts'

/** Targets: the service, the starting service, the database, or one of its sessions. */
export type Victim = 'service' | 'starting service' | 'database' | 'session'

export interface RoundsOptions {
  database: 'sqlite' | 'postgres'
  /** In turn. */
  victims: readonly Victim[]
  /** Number of kills. */
  kills: number
  seed: number
  users: number
  /** Before each kill, fewer than so many changes are acknowledged. */
  changes: number
  tell?: (line: string) => void
}

export interface RoundsResult {
  /** By what was killed. */
  kills: Record<string, number>
  /** Acknowledged changes and those in the devices' outboxes. */
  changes: number
  /** Of those, the ones that had been stored, and whose answer a kill took away. */
  unheard: number
  /** Weeks that the service said it has closed. */
  closed: number
  /** Rows of the logs. */
  versions: number
}

const settings = {
  SALDO_WRITES_PER_MINUTE: '1000000',
  SALDO_WRITE_MEGABYTES_PER_MINUTE: '1000000',
  SALDO_LOG_LEVEL: 'silent',
}

/** About as long as a change takes, in milliseconds. */
const MOMENT_MS = 40

/** Kills under load, again and again. Throws the first thing that is not as it must be. */
export async function killInRounds(options: RoundsOptions): Promise<RoundsResult> {
  const cluster = options.database === 'postgres' ? await PostgresCluster.start() : undefined
  const url = cluster?.url('postgres')
  const authSecret = 'the same for all nodes '.repeat(2)
  const ofPostgres = url === undefined ? {} : { SALDO_DATABASE_URL: url, SALDO_AUTH_SECRET: authSecret }
  const service = await RealService.open({ ...settings, ...ofPostgres })
  const folder = mkdtempSync(join(tmpdir(), 'saldo-kills-'))
  const accounts: Account[] = []
  const readLog = url === undefined ? logOfFile(service.folder) : logOfPostgres(url)
  try {
    return await rounds({ ...options, service, cluster, folder, accounts, readLog })
  } finally {
    for (const account of accounts) await account.close()
    await service.close()
    await cluster?.remove()
    rmSync(folder, { recursive: true })
  }
}

interface Scene extends RoundsOptions {
  service: RealService
  cluster: PostgresCluster | undefined
  folder: string
  accounts: Account[]
  readLog: ReadLog
}

async function rounds(scene: Scene): Promise<RoundsResult> {
  const { service, folder, accounts, readLog, seed, users, victims, kills, changes, tell } = scene
  const chance = chanceOf(seed)
  for (let number = 1; number <= users; number += 1) {
    accounts.push(await Account.open({ name: `user ${number}`, service, chance, folder, pushers: 2, devices: 2 }))
  }
  const checkers = accounts.map((account) => new Checker(account, readLog))
  const all = <T>(work: (account: Account) => Promise<T>) => Promise.all(accounts.map(work))
  const made = () => sumOf(accounts, ({ acknowledgements }) => acknowledgements.changes)
  const counts: Record<string, number> = {}
  for (let round = 0; round < kills; round += 1) {
    const victim = victims[round % victims.length] as Victim
    let isOver = false
    const working = all((account) => account.work(() => isOver))
    const goal = made() + chance.below(changes)
    await eventually(async () => made() >= goal)
    await setTimeout(chance.below(MOMENT_MS))
    await kill(victim, scene, chance)
    isOver = true
    await Promise.all([working, restart(victim, scene)])
    for (const checker of checkers) await checker.afterKill()
    await all((account) => account.settle())
    for (const checker of checkers) await checker.atRest()
    counts[victim] = (counts[victim] ?? 0) + 1
    tell?.(`${round + 1} kills, ${made()} changes`)
  }
  const logs = await all(({ person }) => readLog(person.user))
  return {
    kills: counts,
    changes: made(),
    unheard: sumOf(accounts, ({ acknowledgements }) => acknowledgements.unheard),
    closed: sumOf(accounts, ({ acknowledgements }) => acknowledgements.closed.size),
    versions: sumOf(logs, ({ version }) => version),
  }
}

const sumOf = <T>(all: readonly T[], of: (one: T) => number) => all.reduce((sum, one) => sum + of(one), 0)

async function kill(victim: Victim, { service, cluster }: Scene, chance: Chance): Promise<void> {
  if (victim === 'service' || victim === 'starting service') await service.kill()
  if (victim === 'starting service') {
    const starting = service.start().catch(() => undefined)
    await setTimeout(chance.below(600))
    await service.kill()
    await starting
  }
  if (victim === 'database') await killWhole(cluster as PostgresCluster)
  if (victim === 'session') {
    await killSession(cluster as PostgresCluster, chance)
  }
}

async function restart(victim: Victim, { service, cluster }: Scene): Promise<void> {
  if (victim === 'service' || victim === 'starting service') await service.start()
  if (victim === 'database') await cluster?.start()
  if (victim === 'database' || victim === 'session') await reachable(cluster as PostgresCluster)
}

/** Kills all processes of a server at once. */
async function killWhole(cluster: PostgresCluster): Promise<void> {
  const children = childrenOf(cluster.pid as number)
  const stopped = cluster.stop('kill')
  for (const pid of children) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // It has ended by itself meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  await stopped
}

/** Kills a session of a server, and waits until the server has ended all others, as it does then. */
async function killSession(cluster: PostgresCluster, chance: Chance): Promise<void> {
  const other = new pg.Client(cluster.url('postgres'))
  const ended = new Promise<void>((resolve) => other.on('error', () => resolve()).on('end', resolve))
  await other.connect()
  const its = childrenOf(cluster.pid as number)
  const sessions = its.filter((pid) => existsSync(`/proc/${pid}`) && commandOf(pid).includes(' saldo postgres '))
  process.kill(sessions[chance.below(sessions.length)] as number, 'SIGKILL')
  await ended
}

/** Waits until a server that recovers by itself accepts requests. */
async function reachable(cluster: PostgresCluster): Promise<void> {
  for (;;) {
    const client = new pg.Client(cluster.url('postgres'))
    client.on('error', () => undefined)
    try {
      await client.connect()
      return
    } catch {
      await setTimeout(20)
    } finally {
      await client.end()
    }
  }
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
}
