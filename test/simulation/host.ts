import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostgresCluster } from '../../packages/server/test/postgres/cluster.ts'
import { Pair, postgresDatabases, type Server } from './postgres.ts'
import type { Program } from './service.ts'
import type { Host } from './world.ts'

const root = join(import.meta.dirname, '../..')

/**
 * What runs run on: SQLite, PostgreSQL, or PostgreSQL with a standby; and where a commit is named, nodes that begin with its
 * program. `end` removes what was made for that.
 */
export async function hostOf(database: string, commit?: string): Promise<{ host: Host; end(): Promise<void> }> {
  const before = commit === undefined ? undefined : await programOf(commit)
  const more = before && { before: before.program }
  const { server, remove } = await serverOf(database)
  return {
    host: { ...more, ...(server && { makeDatabase: postgresDatabases(server) }) },
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
