import pg from 'pg'
import { errorText } from '../../error-text.ts'
import { OpenError } from '../../errors.ts'
import { layout } from '../layout.ts'
import { Hosts } from './hosts.ts'
import { CONNECT_TIMEOUT_MS, DATABASE_SETTINGS } from './pool.ts'

/** A distributed database, by this call or an earlier one, whose number of shards stays. */
export interface Distribution {
  shards: number
  workers: number
  /** The tables that this call has distributed, or made known to Citus. */
  changed: string[]
}

/**
 * Distributes a migrated PostgreSQL database by user over the servers that Citus knows. It goes on where an earlier
 * call ended; rows that exist move along. No node may run meanwhile. Throws `OpenError` with one line for the operator.
 */
export async function distributeDatabase(url: string, shards: number): Promise<Distribution> {
  const hosts = new Hosts(url)
  // Moving rows takes as long as it takes.
  const client = new pg.Client({
    application_name: 'saldo',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...hosts.place,
  })
  try {
    await client.connect()
    await requireCitus(client, hosts.name)
    await client.query(`SET citus.multi_shard_modify_mode TO 'sequential'`)
    const changed = [...(await distributeTables(client, shards)), ...(await addLocalTables(client))]
    await setForDatabase(client)
    const [distribution] = await rowsOf<{ shards: number; workers: number }>(
      client,
      `SELECT CAST(count(*) AS INTEGER) AS shards, (${WORKERS}) AS workers FROM pg_dist_shard
       WHERE logicalrelid = CAST('${layout.distributed[0]}' AS regclass)`,
    )
    return { shards: 0, workers: 0, ...distribution, changed }
  } catch (error) {
    if (error instanceof OpenError) throw error
    throw new OpenError(`${hosts.name} cannot be distributed: ${errorText(error)}`, { cause: error })
  } finally {
    await client.end()
  }
}

const WORKERS = 'SELECT CAST(count(*) AS INTEGER) FROM pg_dist_node WHERE isactive AND shouldhaveshards'

async function requireCitus(client: pg.Client, name: string): Promise<void> {
  const extension = await rowsOf(client, `SELECT 1 FROM pg_extension WHERE extname = 'citus'`)
  if (extension.length === 0) {
    throw new OpenError(`${name} does not have the extension Citus, so it cannot be distributed`)
  }
  const [nodes] = await rowsOf<{ coordinators: number; workers: number }>(
    client,
    `SELECT (SELECT CAST(count(*) AS INTEGER) FROM pg_dist_node WHERE groupid = 0) AS coordinators,
       (${WORKERS}) AS workers`,
  )
  if (nodes?.coordinators === 0) {
    throw new OpenError(`${name} does not know its own address: run citus_set_coordinator_host first`)
  }
  if (nodes?.workers === 0) throw new OpenError(`${name} has no workers: run citus_add_node first`)
}

/** Each table is a transaction of its own, and its rows at the coordinator go once they are at the workers. */
async function distributeTables(client: pg.Client, shards: number): Promise<string[]> {
  const [first] = layout.distributed
  const changed: string[] = []
  for (const table of layout.distributed) {
    if ((await kindOf(client, table)) === undefined) {
      const place = table === first ? 'shard_count => $2' : 'colocate_with => $2'
      await client.query(`SELECT create_distributed_table($1, 'user_id', ${place})`, [
        table,
        table === first ? shards : first,
      ])
      changed.push(table)
    }
    await client.query('SELECT truncate_local_data_after_distributing_table($1)', [table])
  }
  return changed
}

/** Citus commits what its local tables and its workers have in one transaction; of others it knows nothing. */
async function addLocalTables(client: pg.Client): Promise<string[]> {
  const changed: string[] = []
  for (const table of layout.local) {
    if ((await kindOf(client, table)) !== undefined) continue
    const before = await knownTables(client)
    await client.query('SELECT citus_add_local_table_to_metadata($1, cascade_via_foreign_keys => true)', [table])
    changed.push(...[...(await knownTables(client))].filter((name) => !before.has(name)))
  }
  return changed
}

async function kindOf(client: pg.Client, table: string): Promise<string | undefined> {
  const [row] = await rowsOf<{ partmethod: string }>(
    client,
    'SELECT partmethod FROM pg_dist_partition WHERE logicalrelid = CAST($1 AS regclass)',
    [table],
  )
  return row?.partmethod
}

async function knownTables(client: pg.Client): Promise<Set<string>> {
  const rows = await rowsOf<{ name: string }>(
    client,
    'SELECT CAST(logicalrelid AS TEXT) AS name FROM pg_dist_partition',
  )
  return new Set(rows.map(({ name }) => name))
}

/** Workers do not get the settings of a node's session, only those of the database, which Citus passes on to them. */
async function setForDatabase(client: pg.Client): Promise<void> {
  const [row] = await rowsOf<{ name: string }>(client, 'SELECT quote_ident(current_database()) AS name')
  for (const [setting, value] of Object.entries(DATABASE_SETTINGS)) {
    await client.query(`ALTER DATABASE ${row?.name} SET ${setting} = '${value}'`)
  }
}

async function rowsOf<Row extends pg.QueryResultRow>(
  client: pg.Client,
  text: string,
  params: unknown[] = [],
): Promise<Row[]> {
  return (await client.query<Row>(text, params)).rows
}
