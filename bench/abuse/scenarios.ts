import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { readConfig } from '@saldo/server'
import { pushBodies, send, type Target } from '../load.ts'
import { startDatabase, startNodes } from '../postgres/servers.ts'
import { atMost, quantile, type Result, within } from '../result.ts'
import { PUSH } from '../scenarios.ts'
import { type RunningServer, startSaldo } from '../servers.ts'
import { type AbuserData, attacks, withoutLimits } from './attacks.ts'

/** The amount of abuse. The tiny sizes only show that everything runs. */
export interface AbuseSizes {
  quietMs: number
  /** As long as the sustained rates matter more than what users may do at once. */
  abuseMs: number
}

export const fullAbuseSizes: AbuseSizes = { quietMs: 10_000, abuseMs: 120_000 }
export const tinyAbuseSizes: AbuseSizes = { quietMs: 200, abuseMs: 200 }

/** The time between two pulls of the user who is measured. */
const PULL_EVERY_MS = 20
/** The limits of requests and bytes as an operator has them who sets nothing. */
const { writesPerMinute, writtenBytesPerMinute } = readConfig({})
const limited = {
  SALDO_WRITES_PER_MINUTE: String(writesPerMinute),
  SALDO_WRITE_MEGABYTES_PER_MINUTE: String(writtenBytesPerMinute / 1e6),
}
const unlimited = { SALDO_WRITES_PER_MINUTE: '1000000', SALDO_WRITE_MEGABYTES_PER_MINUTE: '1000000' }
const environmentOf = (attack: string) => (withoutLimits.has(attack) ? unlimited : limited)

type Started = Pick<RunningServer, 'target' | 'memory' | 'stop'> & { users: readonly number[] }

/**
 * Measures what another user feels of each abuse: on SQLite, then on PostgreSQL. `only` is a part of the names of
 * those to measure, such as `SQLite: many`.
 */
export async function abuse(sizes: AbuseSizes, only = ''): Promise<Result[]> {
  const results: Result[] = []
  const attacksOn = (database: string) => Object.keys(attacks).filter((name) => `${database}: ${name}`.includes(only))
  for (const attack of attacksOn('SQLite')) {
    results.push(
      ...(await measure('SQLite', await startSaldo({ users: 2, environment: environmentOf(attack) }), attack, sizes)),
    )
  }
  if (attacksOn('PostgreSQL').length === 0) return results
  const database = await startDatabase()
  for (const attack of attacksOn('PostgreSQL')) {
    const { nodes, users, stop } = await startNodes(database, 1, 2, environmentOf(attack))
    results.push(...(await measure('PostgreSQL', { ...(nodes[0] as RunningServer), users, stop }, attack, sizes)))
  }
  await database.remove()
  return results
}

async function measure(database: string, server: Started, attack: string, sizes: AbuseSizes): Promise<Result[]> {
  const { target, users } = server
  const [victim, abuser] = users as [number, number]
  for (const body of pushBodies(1_000, 500)) await send(target, victim, 'POST', PUSH, body)
  await pullFor(target, victim, sizes.quietMs / 5)
  const quietMs = quantile(await pullFor(target, victim, sizes.quietMs), 0.95)
  // A thread of its own, so that its work does not delay the clock of the one that measures.
  const workerData: AbuserData = { attack, port: target.port, authorization: target.authorization(abuser) }
  const worker = new Worker(new URL('./attacks.ts', import.meta.url), { workerData })
  await once(worker, 'online')
  const abusedMs = quantile(await pullFor(target, victim, sizes.abuseMs), 0.95)
  await worker.terminate()
  const { peakMb } = server.memory()
  await server.stop()
  const what = `${database}: ${attack}`
  const [quiet, abused] = [`${quietMs.toFixed(1)} ms`, `${abusedMs.toFixed(1)} ms`]
  return [
    atMost(`${what}: p95 of another's pull`, quiet, abused, abusedMs / quietMs, 3),
    within(`${what}: the same in milliseconds`, abusedMs, 50, 'ms'),
    within(`${what}: memory at most`, peakMb, 300, 'MB'),
  ]
}

/** Pulls one change at fixed times, and returns how long after its time each answer came. */
async function pullFor(target: Target, user: number, durationMs: number): Promise<number[]> {
  const start = performance.now()
  const count = Math.max(1, Math.floor(durationMs / PULL_EVERY_MS))
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const dueMs = start + index * PULL_EVERY_MS
      await wait(Math.max(0, dueMs - performance.now()))
      await send(target, user, 'GET', '/api/sync/pull?since=999')
      return performance.now() - dueMs
    }),
  )
}
