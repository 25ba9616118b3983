import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UserNumber } from '@saldo/core'
import { type Stores, systemRandom } from '@saldo/server'
import { PostgresCluster } from '../../packages/server/test/postgres/cluster.ts'
import { execute } from '../../packages/server/test/postgres/global-setup.ts'
import { addUsers, cpuMsOf, prepare, type RunningServer, running, start, startNode } from '../servers.ts'

/** A PostgreSQL on a disk, with what it costs. */
export interface Database {
  /** Makes a database of its own and returns its URL. */
  create(): Promise<string>
  /** The processor's time of all its processes, ended ones as well, in milliseconds. */
  cpuMs(): number
  remove(): Promise<void>
}

/** Room for what is measured; durability is as it comes: every commit is synced to the disk. */
const settings = { shared_buffers: '1GB', max_wal_size: '8GB', checkpoint_timeout: '30min' }

export async function startDatabase(): Promise<Database> {
  const cluster = await PostgresCluster.start({ settings, within: tmpdir() })
  let databases = 0
  return {
    async create() {
      databases += 1
      await execute(cluster.url('postgres'), `CREATE DATABASE bench_${databases} TEMPLATE template0`)
      return cluster.url(`bench_${databases}`)
    },
    cpuMs() {
      // The first process last: it takes over the time of those that end.
      const pids = [...childrenOf(cluster.pid as number), cluster.pid as number]
      return pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0)
    },
    remove: () => cluster.remove(),
  }
}

function childrenOf(pid: number): number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return listed.split(' ').filter(Boolean).map(Number)
}

/** Starts the reference on PostgreSQL. It takes the user's number as authorization. */
export async function startReference(url: string): Promise<RunningServer> {
  const [child, port] = await start([join(import.meta.dirname, 'reference.ts'), url], {})
  return running(child, { port: Number(port), authorization: String })
}

/** Nodes of Saldo on one database, each a process of its own. */
export interface Nodes {
  url: string
  users: number[]
  nodes: readonly RunningServer[]
  stop(): Promise<void>
}

/** Starts nodes on a new database, which `fill` fills; it returns whose requests are measured. */
export async function startNodes(
  database: Database,
  count: number,
  fill: number | ((url: string, stores: Stores) => Promise<UserNumber[]>),
  settings: Record<string, string> = {},
): Promise<Nodes> {
  const url = await database.create()
  const { users, authorization } = await prepare({ url }, (stores) =>
    typeof fill === 'number' ? addUsers(stores, fill) : fill(url, stores),
  )
  const environment = { ...settings, SALDO_DATABASE_URL: url, SALDO_AUTH_SECRET: systemRandom.token(32) }
  const nodes: RunningServer[] = []
  for (let n = 0; n < count; n += 1) nodes.push(await startNode(environment, authorization))
  return {
    url,
    users,
    nodes,
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}
