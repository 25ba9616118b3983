/** Why a local store does not work. */
export type StoreErrorCode =
  /** `close` was called. */
  | 'closed'
  /** Another process, or another opening in this process, has the store open. */
  | 'inUse'
  /** The store belongs to another user. */
  | 'foreign'
  /** The content cannot be read. */
  | 'damaged'
  /** The disk or the browser's quota is full. */
  | 'full'
  /** An older tab holds the database open and blocks its upgrade; a later attempt may succeed. */
  | 'blocked'
  /** A newer program upgraded the database or wants to: this one has to be reloaded or updated. */
  | 'outdated'
  /** The browser or another tab deleted the database. */
  | 'gone'
  /** IndexedDB is missing or forbidden. */
  | 'unavailable'
  /** Anything else; `cause` has the reason. */
  | 'failed'

const messages: Record<StoreErrorCode, string> = {
  closed: 'The local store is closed.',
  inUse: 'The local store is open elsewhere.',
  foreign: 'The local store belongs to another user.',
  damaged: 'The local store is damaged.',
  full: 'The disk has no space left for the local store.',
  blocked: 'Close older tabs of this app: they block the upgrade of the local store.',
  outdated: 'A newer version of this app has upgraded the local store. Reload the page, or update the program.',
  gone: 'The local store was deleted elsewhere.',
  unavailable: 'This browser has no local store.',
  failed: 'The local store failed.',
}

/** A local store could not run a transaction: nothing of it was kept. */
export class StoreError extends Error {
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, options: { cause?: unknown; detail?: string } = {}) {
    const { detail, ...cause } = options
    super([messages[code], ...(detail === undefined ? [] : [detail])].join(' '), cause)
    this.name = 'StoreError'
    this.code = code
  }
}
