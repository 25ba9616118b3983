import { AsyncLocalStorage } from 'node:async_hooks'
import type { UserNumber } from '@saldo/core'
import type { SqlDriver, SqlReader } from '../sql.ts'

/** The session of a request that may change user accounts, and whether it does so as an admin. */
export interface Acting {
  user: UserNumber
  session: number
  asAdmin: boolean
}

/** The session of a request has ended, or its user is no admin any more. Nothing of the write was kept. */
export class AccessEndedError extends Error {
  constructor() {
    super('the access of this request has ended')
    this.name = 'AccessEndedError'
  }
}

const requests = new AsyncLocalStorage<Acting>()

/** Does the work of a request. Each write to user accounts in it first checks that the session may still make it. */
export function actingAs<T>(acting: Acting, work: () => Promise<T>): Promise<T> {
  return requests.run(acting, work)
}

/**
 * Returns a driver whose writes check the access of the request that they belong to, in their own transaction (D8.39).
 * Work outside a request, such as jobs and commands, is not checked. A write throws `AccessEndedError` if the access
 * has ended. An argument of every write would say the same, but one that is forgotten would be a hole.
 */
export function checkingAccess(driver: SqlDriver): SqlDriver {
  const write: SqlDriver['write'] = (body, turn) => {
    // Read here: an engine may run the body for others' writes too.
    const acting = requests.getStore()
    if (acting === undefined) return driver.write(body, turn)
    return driver.write(async (sql) => {
      if (!(await mayStillAct(sql, acting))) throw new AccessEndedError()
      return body(sql)
    }, turn)
  }
  return {
    all: driver.all.bind(driver),
    read: driver.read.bind(driver),
    close: driver.close.bind(driver),
    run: (text, params) =>
      requests.getStore() === undefined ? driver.run(text, params) : write((sql) => sql.run(text, params)),
    write,
  }
}

/**
 * True if the session is one of an active user, who is an admin if they act as one. Locks the user, or all admins in
 * the order of `isLastAdmin`, so that whatever ends the access waits and then finds what this write has made.
 */
async function mayStillAct(sql: SqlReader, { user, session, asAdmin }: Acting): Promise<boolean> {
  const whose = asAdmin ? "role = 'admin'" : 'id = $1'
  const locked = await sql.all<{ id: UserNumber }>(
    `SELECT id FROM users WHERE ${whose} AND deactivated_at IS NULL ORDER BY id${sql.dialect.forUpdate}`,
    asAdmin ? [] : [user],
  )
  if (!locked.some(({ id }) => id === user)) return false
  const sessions = 'SELECT id FROM sessions WHERE user_id = $1 AND id = $2'
  return (await sql.all(sessions, [user, session])).length > 0
}
