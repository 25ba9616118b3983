import { AsyncLocalStorage } from 'node:async_hooks'
import type { UserNumber } from '@saldo/core'
import type { SqlDriver, SqlReader } from '../sql.ts'

/** The session or token of a request that writes, and whether it does so as an admin. */
export interface Acting {
  user: UserNumber
  by: { kind: 'session'; id: number } | { kind: 'token'; id: string }
  asAdmin: boolean
}

/** The access of a request has ended, or its user is no admin any more. Nothing of the write was kept. */
export class AccessEndedError extends Error {
  constructor() {
    super('the access of this request has ended')
    this.name = 'AccessEndedError'
  }
}

const requests = new AsyncLocalStorage<Acting | undefined>()

/** Does the work of a request. Each write in it first checks that the session or token may still make it. */
export function actingAs<T>(acting: Acting, work: () => Promise<T>): Promise<T> {
  return requests.run(acting, work)
}

/** Does work of the service that a request has caused, and that goes on when the access of the request has ended. */
export function outsideRequest<T>(work: () => Promise<T>): Promise<T> {
  return requests.run(undefined, work)
}

/**
 * Returns a driver whose writes check the access of the request that they belong to, in their own transaction (D8.39).
 * Work outside a request, such as jobs and commands, is not checked. A write throws `AccessEndedError` if the access
 * has ended. An argument of every write would say the same, but one that is forgotten would be a hole.
 */
export function checkingAccess(driver: SqlDriver): SqlDriver {
  const write: SqlDriver['write'] = (body, turn) => {
    const check = accessCheck('FOR UPDATE')
    if (check === undefined) return driver.write(body, turn)
    return driver.write(async (sql) => {
      await check(sql)
      return body(sql)
    }, turn)
  }
  return {
    dialect: driver.dialect,
    all: driver.all.bind(driver),
    read: driver.read.bind(driver),
    close: driver.close.bind(driver),
    run: (text, params) => write((sql) => sql.run(text, params)),
    write,
  }
}

/**
 * Returns a check for a transaction that writes records in the request that asks for it; `undefined` outside of one.
 * It is made once the transaction has waited for the user's counter, and throws `AccessEndedError`. Called within the
 * request, since an engine may run the bodies of others' writes too.
 */
export function recordAccessCheck(): ((sql: SqlReader) => Promise<void>) | undefined {
  return accessCheck('FOR SHARE')
}

function accessCheck(lock: UserLock): ((sql: SqlReader) => Promise<void>) | undefined {
  const acting = requests.getStore()
  if (acting === undefined) return undefined
  return async (sql) => {
    if (!(await mayStillAct(sql, acting, lock))) throw new AccessEndedError()
  }
}

/** The lock of a user: alone against all other writes, or shared with other writes of their records. */
type UserLock = 'FOR UPDATE' | 'FOR SHARE'

/**
 * True if the session or token is one of an active user, who is an admin if they act as one. Locks the user, and all
 * admins before in the order of `isLastAdmin`, and the session or token, so that whatever ends the access waits, and
 * finds what this write has made. The time at which it expires was checked at the door.
 */
async function mayStillAct(sql: SqlReader, { user, by, asAdmin }: Acting, lock: UserLock): Promise<boolean> {
  const { locking } = sql.dialect
  if (asAdmin) {
    const admins = await sql.all<{ id: UserNumber }>(
      `SELECT id FROM users WHERE role = 'admin' AND deactivated_at IS NULL ORDER BY id${locking(lock)}`,
    )
    if (!admins.some(({ id }) => id === user)) return false
  }
  const keys = by.kind === 'session' ? 'sessions' : 'tokens'
  const found = await sql.all(
    `SELECT users.id FROM users JOIN ${keys} ON ${keys}.user_id = users.id
     WHERE users.id = $1 AND ${keys}.id = $2 AND deactivated_at IS NULL
     ${locking(`${lock} OF users FOR KEY SHARE OF ${keys}`)}`,
    [user, by.id],
  )
  return found.length > 0
}
