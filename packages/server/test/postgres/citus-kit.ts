import type { UserNumber } from '@saldo/core'
import { afterAll, onTestFinished } from 'vitest'
import { openStores, type Stores } from '../../src/store/stores.ts'
import { systemRandom } from '../../src/system.ts'
import { startTestService, type TestService } from '../harness.ts'
import { newId } from '../http/resources.ts'
import { ManualClock } from '../manual-clock.ts'
import type { PostgresCluster } from './cluster.ts'
import { DistributedPostgres } from './distributed.ts'
import { execute } from './global-setup.ts'

const AT = '2026-02-02T12:00:00.000Z'

/** Starts servers for a test file, which may kill them, and tells where they keep a user. */
export async function servers() {
  const distributed = await DistributedPostgres.start()
  afterAll(() => distributed.remove())

  /** Returns the worker that has a user's records. */
  async function workerOf(url: string, user: UserNumber): Promise<PostgresCluster> {
    for (const worker of distributed.workers) {
      const count = `SELECT count(*) FROM %s WHERE user_id = ${user}`
      const found = `SELECT result FROM run_command_on_placements('counters', '${count}')
        WHERE nodename = '${worker.host}' AND result = '1'`
      if ((await execute(url, found)).rows.length > 0) return worker
    }
    throw new Error('no worker has the user')
  }

  /** Adds a user at each of the two workers. */
  async function usersAtBoth(url: string, stores: Pick<Stores, 'users'>): Promise<[UserNumber, UserNumber]> {
    const one = await addUser(stores)
    const worker = await workerOf(url, one)
    for (;;) {
      const other = await addUser(stores)
      if ((await workerOf(url, other)) !== worker) return [one, other]
    }
  }

  return { distributed, workerOf, usersAtBoth }
}

/** Opens a database until the test ends. */
export async function open(url: string): Promise<Stores> {
  const stores = await openStores({ url, clock: new ManualClock(AT), random: systemRandom, as: 'service' })
  onTestFinished(() => stores.close())
  return stores
}

export async function addUser({ users }: Pick<Stores, 'users'>): Promise<UserNumber> {
  const added = await users.add({ email: `${newId()}@example.com`, passwordHash: 'none', at: AT })
  if (added.outcome !== 'added') throw new Error(added.outcome)
  return added.user
}

/** Starts two nodes on a database until the test ends. */
export async function twoNodes(databaseUrl: string): Promise<[TestService, TestService]> {
  const config = { databaseUrl, authSecret: 'the same for all nodes '.repeat(2) }
  const nodes = [await startTestService({ config }), await startTestService({ config })] as [TestService, TestService]
  onTestFinished(async () => {
    for (const node of nodes) await node.close()
  })
  return nodes
}

/** The queries that a database has sent to one worker, and to several, by now. */
export interface Queries {
  single: number
  multi: number
}

export async function queriesOf(url: string): Promise<Queries> {
  const counters = `SELECT CAST(query_execution_multi_shard AS INTEGER) AS multi,
      CAST(query_execution_single_shard AS INTEGER) AS single
    FROM citus_stat_counters WHERE name = current_database()`
  const [row] = (await execute(url, counters)).rows
  return row as Queries
}
