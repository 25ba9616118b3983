/** Where the service's clock begins: a Saturday. */
export const START_MS = Date.parse('2026-11-21T12:00:00.000Z')

/** The password of every user. */
export const PASSWORD = 'correct horse battery'

/** Commands to the process of the service. */
export type Wish =
  | { wish: 'user'; email: string }
  /** Moves the clock on, and does what is due. */
  | { wish: 'wait'; ms: number }
  | { wish: 'memory' }
  | { wish: 'stop' }

/** Memory of the service after a garbage collection, in bytes. */
export interface Memory {
  rss: number
  heapUsed: number
  external: number
}

/** A user of the service. */
export interface User {
  id: number
  token: string
}

/** Messages of the process. */
export type ChildMessage =
  | { type: 'address'; url: string }
  | { type: 'done' }
  | ({ type: 'user' } & User)
  | ({ type: 'memory' } & Memory)
  /** It logged an error or a warning. */
  | { type: 'failure'; message: string }
