import type pg from 'pg'
import type { Place } from './hosts.ts'

/** How long a connection is waited for, in milliseconds: until a new one stands, or one of the others is given back. */
export const CONNECT_TIMEOUT_MS = 5_000
/** How long a statement may take, and how long it may wait for a lock, in milliseconds. */
const STATEMENT_TIMEOUT_MS = 20_000
const LOCK_TIMEOUT_MS = 10_000
/** How long a node that fell silent in the middle of a transaction holds its locks, in milliseconds. */
const SILENCE_TIMEOUT_MS = 10_000
/**
 * How long a server that does not answer at all is waited for, in milliseconds. Batches look to it: `query_timeout` of `pg` would
 * have V8 keep each statement, with all that waits for it, until it next looks for garbage among what is old.
 */
export const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000

/**
 * The settings of a session. Every statement names its rows by a key or goes along an index, and its plan must not hang on what the server believes of the
 * tables' sizes, which is little as long as they are young: no hash or merge joins, which read all of a user's records, no
 * sorting of what an index has in order, and one plan for all values, made once. Compiling costs more than any statement.
 */
const SESSION = [
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'enable_sort=off',
  'enable_incremental_sort=off',
  'enable_seqscan=off',
  'plan_cache_mode=force_generic_plan',
  'jit=off',
  // Statements in no transaction only read. The server takes those that leave together for one transaction.
  'default_transaction_read_only=on',
  'default_transaction_isolation=repeatable\\ read',
]

/** How each connection that carries transactions is made. What the URL says goes before this, but for what reads rely on. */
export function sessionAt(place: Place): pg.ClientConfig {
  return {
    application_name: 'saldo',
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: SILENCE_TIMEOUT_MS,
    keepAlive: true,
    pipeline: true,
    ...place,
    // Of several settings of one thing, the last counts.
    options: [place.options, ...SESSION.map((setting) => `-c ${setting}`)].join(' '),
  }
}
