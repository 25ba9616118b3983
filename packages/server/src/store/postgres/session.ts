import pg from 'pg'
import type { Place } from './hosts.ts'

/** The most time to wait for a connection, new or given back by another transaction, in milliseconds. */
export const CONNECT_TIMEOUT_MS = 5_000
/** The most time for a statement and for its wait for a lock, in milliseconds. */
const STATEMENT_TIMEOUT_MS = 20_000
const LOCK_TIMEOUT_MS = 10_000
/** The server releases the locks of a node that stops during a transaction after this time. */
const IDLE_TIMEOUT_MS = 10_000
/** The most time to wait for a server that does not answer at all, in milliseconds. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000

/**
 * Settings of a session. Every statement finds its rows by a key or along an index. These settings keep the plans that
 * way, whatever the server's statistics say about tables that are young or whose users differ in size: no hash or merge
 * joins, no sorting of what an index has in order, and one plan for all values.
 */
const SESSION = [
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'enable_sort=off',
  'enable_incremental_sort=off',
  'enable_seqscan=off',
  'plan_cache_mode=force_generic_plan',
  'jit=off',
  // Statements outside a transaction only read.
  'default_transaction_read_only=on',
]

/** Reads 64-bit integers as numbers: the store keeps them within 2^53 − 1. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * Returns the configuration of a connection for transactions. The URL can override it except where plans rely on it.
 */
export function sessionAt(place: Place): pg.ClientConfig {
  return {
    application_name: 'saldo',
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    pipeline: true,
    types,
    ...place,
    // The last of several settings with one name wins.
    options: [place.options, ...SESSION.map((setting) => `-c ${setting}`)].join(' '),
  }
}
