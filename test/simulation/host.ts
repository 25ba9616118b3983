import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PostgresCluster } from '../../packages/server/test/postgres/cluster.ts'
import { Pair, postgresDatabases, type Server } from './postgres.ts'
import type { Scale } from './schedule.ts'
import type { Program } from './service.ts'
import type { Host } from './simulation.ts'

const root = join(import.meta.dirname, '../..')

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
 * a standby; at least so many `--steps`, at most so many `--nodes`, to which nothing happens where there is 0; and
 * with `--before`, the commit with whose program they begin.
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
      before: { type: 'string' },
    },
  })
  const { database, nodes = database === 'sqlite' ? '0' : '3' } = values
  const before = values.before === undefined ? undefined : await programOf(values.before)
  const { server, remove } = await serverOf(database)
  return {
    from: Number(values.from),
    seeds: Number(values.seeds),
    scale: { steps: Number(values.steps), nodes: Number(nodes) },
    host: { ...(before && { before: before.program }), ...(server && { makeDatabase: postgresDatabases(server) }) },
    async end() {
      before?.remove()
      await remove()
    },
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

/** The program of the service as it was at a commit, with the packages that it had. */
async function programOf(commit: string): Promise<{ program: Program; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'saldo-before-'))
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x'], { cwd: folder, input: archive })
  execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  const program = (await import(join(folder, 'packages/server/src/index.ts'))) as Program
  return { program, remove: () => rmSync(folder, { recursive: true }) }
}
