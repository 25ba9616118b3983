import { parseArgs } from 'node:util'
import { PostgresCluster } from '../../packages/server/test/postgres/cluster.ts'
import { Pair, postgresDatabases, type Server } from './postgres.ts'
import type { Scale } from './scenario.ts'
import type { Host } from './simulation.ts'

/** Which seeds are run, and on what. */
export interface Hunt {
  from: number
  seeds: number
  scale: Scale
  host: Host
  /** Removes what was made for it. */
  end(): Promise<void>
}

/**
 * Reads the options of a hunt: `--seeds` and `--from`; `--database`, which is SQLite, PostgreSQL, or PostgreSQL with
 * a standby; at least so many `--steps`; at most so many `--nodes`, to which nothing happens where there is 0; and
 * `--company`, with which each run has one.
 */
export async function huntOf(args: string[]): Promise<Hunt> {
  const { values } = parseArgs({
    args,
    options: {
      seeds: { type: 'string', default: '500' },
      from: { type: 'string', default: '1' },
      database: { type: 'string', default: 'sqlite' },
      steps: { type: 'string', default: '0' },
      nodes: { type: 'string' },
      company: { type: 'boolean', default: false },
    },
  })
  const { database, nodes = database === 'sqlite' ? '0' : '3' } = values
  const { server, remove } = await serverOf(database)
  return {
    from: Number(values.from),
    seeds: Number(values.seeds),
    scale: { steps: Number(values.steps), nodes: Number(nodes), company: values.company },
    host: server ? { makeDatabase: postgresDatabases(server) } : {},
    end: remove,
  }
}

async function serverOf(database: string): Promise<{ server?: Server; remove(): Promise<void> }> {
  if (database === 'sqlite') return { remove: async () => {} }
  const cluster = await PostgresCluster.start()
  if (database === 'postgres') {
    return { server: { url: cluster.url('postgres'), prefix: '' }, remove: () => cluster.remove() }
  }
  if (database !== 'postgres-pair') throw new Error(`${database} is no database: sqlite, postgres or postgres-pair`)
  const pair = await Pair.of(cluster)
  return { server: pair, remove: () => pair.remove() }
}
