import { distributeDatabase } from '../../src/store/postgres/distribute.ts'
import { openPostgres } from '../../src/store/postgres/open.ts'
import { systemClock, systemRandom } from '../../src/system.ts'
import { citusBinaries } from './binaries.ts'
import { PostgresCluster } from './cluster.ts'
import { databaseUrl, execute } from './global-setup.ts'

/** The folders of the sockets of a coordinator and of its workers, by which they name each other. */
export interface DistributedServers {
  coordinator: string
  workers: readonly string[]
}

/** A coordinator and two workers, each a PostgreSQL with Citus. */
export class DistributedPostgres {
  readonly coordinator: PostgresCluster
  readonly workers: readonly PostgresCluster[]

  static async start(): Promise<DistributedPostgres> {
    const binaries = citusBinaries()
    if (binaries === undefined) throw new Error('SALDO_TEST_CITUS names no PostgreSQL that has the extension Citus')
    const settings = {
      shared_preload_libraries: 'citus',
      max_prepared_transactions: '200',
      max_worker_processes: '100',
      wal_level: 'logical',
      'citus.enable_stat_counters': 'on',
    }
    const [coordinator, ...workers] = await Promise.all(
      ['coordinator', 'worker', 'worker'].map(() => PostgresCluster.start({ binaries, settings })),
    )
    for (const server of [coordinator as PostgresCluster, ...workers]) {
      // By this name a server reaches itself.
      await execute(server.url('postgres'), `ALTER SYSTEM SET citus.local_hostname TO '${server.host}'`)
      await execute(server.url('postgres'), 'SELECT pg_reload_conf()')
    }
    return new DistributedPostgres(coordinator as PostgresCluster, workers)
  }

  private constructor(coordinator: PostgresCluster, workers: readonly PostgresCluster[]) {
    this.coordinator = coordinator
    this.workers = workers
  }

  get servers(): DistributedServers {
    return { coordinator: this.coordinator.host, workers: this.workers.map(({ host }) => host) }
  }

  async remove(): Promise<void> {
    for (const server of [this.coordinator, ...this.workers]) await server.remove()
  }
}

const urlOf = (host: string, database: string) => `postgresql://saldo@${encodeURIComponent(host)}/${database}`

/** Returns the URL of a new database whose coordinator knows its workers, without tables. */
export async function newPrepared({ coordinator, workers }: DistributedServers): Promise<string> {
  const name = `saldo_${systemRandom.uuid().replaceAll('-', '')}`
  for (const host of [coordinator, ...workers]) {
    await execute(urlOf(host, 'postgres'), `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`)
    await execute(urlOf(host, name), 'CREATE EXTENSION citus')
  }
  const url = urlOf(coordinator, name)
  await execute(url, `SELECT citus_set_coordinator_host('${coordinator}', 5432)`)
  for (const host of workers) await execute(url, `SELECT citus_add_node('${host}', 5432)`)
  return url
}

/** Returns the URL of a new database that is migrated and distributed. */
export async function newDistributed(servers: DistributedServers): Promise<string> {
  const url = await newPrepared(servers)
  await (await openPostgres({ url, clock: systemClock, random: systemRandom })).close()
  await distributeDatabase(url, 8)
  return url
}

/** The same database as a worker has it. */
export function atWorker(worker: PostgresCluster, url: string): string {
  return databaseUrl(worker.url('postgres'), new URL(url).pathname.slice(1))
}
