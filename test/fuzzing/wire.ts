/** Where the service's clock begins: a Saturday. */
export const START_MS = Date.parse('2026-11-21T12:00:00.000Z')

/** The password of every user. */
export const PASSWORD = 'correct horse battery'

/** What the process of the service is asked. */
export type Wish =
  | { wish: 'user'; email: string }
  /** Moves the clock on, and does what is due. */
  | { wish: 'wait'; ms: number }
  | { wish: 'memory' }
  | { wish: 'stop' }

/** What the service uses once garbage is collected, in bytes. */
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

/** What it tells. */
export type Told =
  | { tells: 'address'; url: string }
  | { tells: 'done' }
  | ({ tells: 'user' } & User)
  | ({ tells: 'memory' } & Memory)
  /** It logged an error or a warning. */
  | { tells: 'failure'; message: string }
