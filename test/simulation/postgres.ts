import type { TcpNetConnectOpts } from 'node:net'
import pg from 'pg'
import type { PostgresCluster } from '../../packages/server/test/postgres/cluster.ts'
import { databaseUrl, execute } from '../../packages/server/test/postgres/global-setup.ts'
import { Wire } from '../../packages/server/test/postgres/wire.ts'
import { addUsers, type Database, type MakeDatabase, type RunUsers } from './service.ts'

/** The nodes of a run have a way of their own each. */
const MOST_NODES = 3

/** Where the runs have their databases, whose names begin alike. */
export interface Server {
  url: string
  prefix: string
  /** Promotes the standby while `during` runs; undefined without a standby. */
  failOver?(during: () => Promise<unknown>): Promise<void>
}

/** Databases on PostgreSQL; a backup is a copy beside. */
export function postgresDatabases(server: Server): MakeDatabase {
  /** The databases that those of the runs are copies of, without a company and with one. */
  const templates = new Map<boolean, Promise<RunUsers & { name: string }>>()
  let made = 0
  const nextName = () => {
    made += 1
    return `${server.prefix}simulated_${made}`
  }
  const makeTemplate = async (hasCompany: boolean) => {
    const name = nextName()
    await execute(server.url, `CREATE DATABASE ${name}`)
    return { name, ...(await addUsers({ url: databaseUrl(server.url, name) }, hasCompany)) }
  }
  return async (_folder, hasCompany) => {
    const { name: origin, ...made } = await templates.getOrInsertComputed(hasCompany, makeTemplate)
    const name = nextName()
    await execute(server.url, `CREATE DATABASE ${name} TEMPLATE ${origin}`)
    const wires: Wire[] = []
    for (let node = 0; node < MOST_NODES; node += 1) wires.push(await Wire.open(placeOf(server)))
    return databaseOf(server, name, made, wires)
  }
}

/** The address of the server, read each time, because a standby may have taken over. */
function placeOf(server: Server): { readonly socket: string | TcpNetConnectOpts } {
  return {
    get socket() {
      const { host, port } = new pg.Client(server.url)
      return host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : { host, port }
    },
  }
}

function databaseOf(server: Server, name: string, made: RunUsers, wires: readonly Wire[]): Database {
  const backup = `${name}_backup`
  let hasBackup = false
  const put = async (from: string, to: string) => {
    await execute(server.url, `DROP DATABASE IF EXISTS ${to} WITH (FORCE)`)
    await execute(server.url, `CREATE DATABASE ${to} TEMPLATE ${from}`)
  }
  const wireOf = (node: number) => wires[node] as Wire
  return {
    ...made,
    configOf: (node) => ({
      databaseUrl: wireOf(node).through(databaseUrl(server.url, name)),
      authSecret: 'the same for all nodes '.repeat(2),
    }),
    get hasBackup() {
      return hasBackup
    },
    async backUp() {
      await put(name, backup)
      hasBackup = true
    },
    restore: () => put(backup, name),
    // To the database a process is gone once its connections are; it gets no more requests.
    async kill(node, { at, sending }, work, stop) {
      const wire = wireOf(node)
      wire.cutSending(at, sending, true)
      await work()
      wire.goDown()
      await stop()
      wire.calm()
      return true
    },
    async sever(node, { at, sending }, work) {
      const wire = wireOf(node)
      wire.cutSending(at, sending)
      const answer = await work()
      wire.calm()
      return answer
    },
    async severAll() {
      await execute(
        databaseUrl(server.url, name),
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE pid <> pg_backend_pid() AND datname = current_database()`,
      )
    },
    async failOver(work) {
      await server.failOver?.(work)
    },
    async remove() {
      for (const wire of wires) await wire.close()
      for (const each of [name, backup]) await execute(server.url, `DROP DATABASE IF EXISTS ${each} WITH (FORCE)`)
    },
  }
}

/** A server with a standby, which takes its place at a fail-over; then it gets the next one. */
export class Pair implements Server {
  readonly prefix = ''
  #first: PostgresCluster
  #second: PostgresCluster

  private constructor(first: PostgresCluster, second: PostgresCluster) {
    this.#first = first
    this.#second = second
  }

  static async of(first: PostgresCluster): Promise<Pair> {
    const pair = new Pair(first, await first.standby())
    await pair.#follow()
    return pair
  }

  get url(): string {
    return this.#first.url('postgres')
  }

  async failOver(during: () => Promise<unknown>): Promise<void> {
    const working = during()
    await this.#first.stop('kill')
    this.#second.promote()
    // Nodes find the other in its place.
    const gone = this.#first
    this.#first = this.#second
    this.#second = await this.#first.standby()
    await this.#follow()
    await gone.remove()
    // It may have waited for the new standby.
    await working
  }

  async remove(): Promise<void> {
    await this.#second.remove()
    await this.#first.remove()
  }

  /** From now on, acknowledged commits are at the standby. */
  async #follow(): Promise<void> {
    await execute(this.url, `ALTER SYSTEM SET synchronous_standby_names = '*'`)
    await execute(this.url, 'SELECT pg_reload_conf()')
    const state = `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`
    while ((await execute(this.url, state)).rowCount === 0) await new Promise((resolve) => setImmediate(resolve))
  }
}
